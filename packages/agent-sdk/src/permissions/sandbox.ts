import { isInside } from "./paths.ts";
import { isOfProject, type SettingsScope } from "../hooks/definition.ts";
import {
  DEFAULT_SANDBOX,
  isLooser,
  modeForApproved,
  stricterMode,
  type HookSandboxMode,
  type SandboxMode,
} from "./sandboxModes.ts";

/** What `sandbox` of one file, or of Agent.create, says. */
export interface GivenSandbox {
  scope: SettingsScope;
  /** For messages: the file, or "Agent.create". */
  from: string;
  mode?: SandboxMode | undefined;
  network?: boolean | undefined;
  writable?: readonly string[] | undefined;
}

/** What holds for a session. */
export interface SandboxSettings {
  mode: SandboxMode;
  /** Who said so. */
  from: string;
  /** What the machine's owner asks for at least. */
  floor: SandboxMode;
  network: boolean;
  writable: readonly string[];
}

/** A word that does not count, and why not. */
export interface UnusedWord {
  given: GivenSandbox;
  field: "mode" | "network" | "writable";
  why: string;
}

/** The first of them that says anything speaks for the person. */
const OWN: readonly SettingsScope[] = ["sdk", "flag", "user"];

/**
 * The owner of the machine says what holds at least, the person says the rest, and a project may only tighten that. Which
 * folders are writable is never a project's to say; a list of the owner's is the only one.
 */
export function mergeSandbox(given: readonly GivenSandbox[]): {
  settings: SandboxSettings;
  unused: UnusedWord[];
} {
  const settings: SandboxSettings = { mode: "off", from: "", floor: "off", network: true, writable: [] };
  const unused: UnusedWord[] = [];
  const owners = given.filter(({ scope }) => scope === "managed");
  const voice = OWN.find((scope) => given.some((one) => one.scope === scope));
  const person = given.filter(({ scope }) => scope === voice);
  const tighten = (one: GivenSandbox) => {
    const { mode = settings.mode, network } = one;
    if (isLooser(mode, settings.mode)) {
      const why = `"${mode}" is not used: ${settings.from} says "${settings.mode}"`;
      unused.push({ given: one, field: "mode", why });
    }
    if (network === true && !settings.network)
      unused.push({ given: one, field: "network", why: "it is not used: the network is off already" });
    if (isLooser(settings.mode, mode)) Object.assign(settings, { mode, from: one.from });
    settings.network &&= network !== false;
  };
  for (const one of owners) tighten(one);
  settings.floor = settings.mode;
  for (const one of person) tighten(one);
  if (![...owners, ...person].some(({ mode }) => mode !== undefined))
    Object.assign(settings, { mode: DEFAULT_SANDBOX, from: "the default" });
  const lists = [owners, person].map((all) => all.filter(({ writable }) => writable !== undefined));
  const [first] = lists.find((all) => all.length > 0) ?? [];
  settings.writable = first?.writable ?? [];
  for (const one of lists.flat())
    if (one !== first && one.writable && one.writable.length > 0)
      unused.push({
        given: one,
        field: "writable",
        why: `it is not used: ${first?.from} says which folders are writable`,
      });

  for (const one of given.filter(({ scope }) => isOfProject(scope))) {
    tighten(one);
    if ((one.writable ?? []).length > 0)
      unused.push({
        given: one,
        field: "writable",
        why: "it is not used in a project's file: a project must not open your folders; set it in your own settings",
      });
  }
  return { settings, unused };
}

/** A hook may have its own word: one of a project only a stricter one, and nobody's goes below the owner's. */
export function hookSandbox(
  hook: { sandbox?: HookSandboxMode; source: { scope: SettingsScope } },
  { mode, floor }: Pick<SandboxSettings, "mode" | "floor">,
): HookSandboxMode {
  const given = modeForApproved(mode);
  if (hook.sandbox === undefined) return given;
  if (isOfProject(hook.source.scope)) return stricterMode(hook.sandbox, given);
  return hook.source.scope === "managed" ? hook.sandbox : stricterMode(hook.sandbox, modeForApproved(floor));
}

/** Something on the disk that the sandbox treats in its own way. Absolute, without links in it. */
export type Mount = { path: string } & (
  | {
      as: /** With everything in it. */
        | "writable"
        /** Although it lies in something writable. */
        | "read-only"
        /** An empty folder in its place. */
        | "hidden-folder"
        /** In its place something that cannot be opened. */
        | "hidden-file"
        /** An empty folder that can be written and is gone with the command. */
        | "private-folder";
    }
  | { as: "link"; to: string }
);

export interface SandboxPlan {
  mounts: readonly Mount[];
  network: boolean;
  /** Root keeps its rights about the owners of files: it may work on a project that is another user's. */
  asRoot: boolean;
  cwd: string;
  /** Nothing of the disk is there but what `mounts` name. Without it everything is, and `mounts` say what is not. */
  startsEmpty?: boolean;
  /** A filter of system calls stands ready at descriptor 4. */
  isFiltered?: boolean;
  /** It only reads: of the devices it gets the few that take and give nothing, and to the kernel it says nothing. */
  onlyReads?: boolean;
}

/**
 * The arguments of bubblewrap. The processes have pids of their own, so they see and reach nobody else's, and die with Wave. None
 * of root's rights with which a mount could be changed is left.
 */
export function sandboxArguments(plan: SandboxPlan): string[] {
  const { mounts, network, asRoot, cwd, onlyReads = false, isFiltered = false, startsEmpty = false } = plan;
  const outerFirst = mounts.toSorted((a, b) => depthOf(a.path) - depthOf(b.path));
  // Where nothing is, an empty folder needs no mount.
  const isThere = ({ path }: Mount) =>
    !startsEmpty || mounts.some((other) => other.as === "read-only" && isInside(other.path, path));
  const hidden = outerFirst.filter((mount) => mount.as === "hidden-folder" && isThere(mount));
  return [
    ...OWN_PIDS,
    ...(network ? [] : ["--unshare-net"]),
    ...NO_RIGHTS,
    ...(isFiltered ? ["--seccomp", "4"] : []),
    ...(asRoot ? FILE_RIGHTS : []),
    ...(startsEmpty ? [] : EVERYTHING_READ_ONLY),
    ...(onlyReads ? FEW_DEVICES : ALL_DEVICES),
    ...OWN_PROC,
    // Root needs no right to write in it. Others may write nothing there but what is their own.
    ...(onlyReads && asRoot ? ["--remount-ro", "/proc"] : []),
    ...outerFirst.flatMap((mount) => (isThere(mount) ? argumentsFor(mount) : whereNothingIs(mount))),
    // Last: before that, what lies in them has to get its place.
    ...hidden.flatMap(({ path }) => ["--remount-ro", path]),
    ...(startsEmpty ? ["--remount-ro", "/"] : []),
    "--chdir",
    cwd,
    "--",
  ];
}

const OWN_PIDS = "--die-with-parent --json-status-fd 3 --unshare-pid --unshare-ipc".split(" ");
const NO_RIGHTS = "--cap-drop ALL".split(" ");
const EVERYTHING_READ_ONLY = "--ro-bind / /".split(" ");
const OWN_PROC = "--proc /proc".split(" ");
const ALL_DEVICES = "--dev /dev".split(" ");
/** Each device of the others would be one more mount, and each mount takes time. */
const FEW_DEVICES = [
  ..."--tmpfs /dev --dir /dev/shm --symlink /proc/self/fd /dev/fd".split(" "),
  ...["null", "zero", "random", "urandom"].flatMap((name) => ["--dev-bind", `/dev/${name}`, `/dev/${name}`]),
  ...["stdin", "stdout", "stderr"].flatMap((name, at) => [
    "--symlink",
    `/proc/self/fd/${at}`,
    `/dev/${name}`,
  ]),
];
/** A read-only mount does not ask for these. */
const FILE_RIGHTS = ["CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER"].flatMap((name) => ["--cap-add", name]);

const whereNothingIs = (mount: Mount) =>
  mount.as === "hidden-folder" ? ["--dir", mount.path] : argumentsFor(mount);

function argumentsFor(mount: Mount): string[] {
  const { path } = mount;
  switch (mount.as) {
    case "writable":
      return ["--bind", path, path];
    case "read-only":
      return ["--ro-bind", path, path];
    case "hidden-folder":
    case "private-folder":
      return ["--tmpfs", path];
    case "hidden-file":
      return ["--ro-bind", "/dev/null", path];
    case "link":
      return ["--symlink", mount.to, path];
    default:
      return mount satisfies never;
  }
}

const depthOf = (path: string) => path.split("/").filter((name) => name !== "").length;

/** What programs say when they want to write where they may not. */
const REFUSED_WRITE = /read-only file system|EROFS/i;

/** One line for the model, beside the output of a command that ran into the sandbox. */
export function writeHint(output: string, writable: readonly string[]): string | undefined {
  if (!REFUSED_WRITE.test(output)) return undefined;
  return `[The sandbox lets commands write only in ${writable.join(", ")}, and there not to the settings of Wave, git and other programs. The user can open more folders with "sandbox": {"writable": […]} in their own settings.]`;
}
