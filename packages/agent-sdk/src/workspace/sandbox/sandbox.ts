import { personHome } from "../personHome.ts";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writeHint, type Mount, type SandboxSettings } from "../../permissions/sandbox.ts";
import { hiddenMount, type HiddenPlace } from "../../permissions/readOnlyPlan.ts";
import type { HookSandboxMode } from "../../permissions/sandboxModes.ts";
import { exists, realPath, statOf } from "../files/fileFacts.ts";
import { startProcess, type ProcessRequest, type RunningProcess } from "../../services/process.ts";
import { findBubblewrap, refusedStart, runInBubblewrap, tryOut, type Availability } from "./bubblewrap.ts";
import { Doors } from "./doors.ts";
import { heldPaths, newlyEntered, type Held } from "./heldPaths.ts";
import type { RunRegister } from "../../process/runRegister.ts";
import { layOut, type HeldPath, type Placeholder } from "./layOut.ts";
import { ReadOnlySandbox } from "./readOnly.ts";
import { makeNoted, makePlaceholder, removePlaceholder } from "./placeholders.ts";

export interface SandboxPlace {
  /** Fixed for the session: a folder that the model chooses never becomes writable (CVE-2025-59532). */
  projectDir: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Paths that stay as they are wherever they lie: $WAVE_HOME, settings files, scripts of hooks. */
  own: () => readonly string[];
  /** Where it is noted what a Wave that is killed would leave in the project. */
  register?: RunRegister;
}

export interface HowToRun {
  /** Knows whether an exit code above 128 is one: bubblewrap says the same of a signal. */
  endedByItself: () => boolean;
  /** What rules keep back. */
  hidden: () => readonly HiddenPlace[];
}

interface Plan {
  mounts: Mount[];
  held: Held;
  /** What cannot be held. */
  links: HeldPath[];
}

/** The sandbox of one session. Processes are started in it by bubblewrap; see decision 0009. */
export class Sandbox {
  readonly #settings: SandboxSettings;
  readonly #place: SandboxPlace;
  readonly #writable: readonly string[];
  readonly #opened: readonly string[];
  readonly #doors: Doors;
  /** What exists only so that something can be mounted on it. */
  readonly #made = new Map<string, Placeholder>();
  /** Repositories that the person was told about. */
  readonly #toldOf = new Set<string>();
  #running = 0;
  #tell: (text: string) => void = () => {};
  #plan: Plan | undefined;
  #availability: Availability = { is: "missing", why: "it was not looked for" };

  private constructor(settings: SandboxSettings, place: SandboxPlace) {
    const home = homeOf(place.env);
    const projectDir = realPath(place.projectDir);
    this.#settings = settings;
    this.#place = { ...place, projectDir };
    this.#opened = settings.writable.map((path) =>
      realPath(
        resolve(
          place.projectDir,
          path.replace(/^~(?=\/|$)/, () => home),
        ),
      ),
    );
    const temporary = [tmpdir(), place.env["TMPDIR"] ?? tmpdir()].map((path) => realPath(resolve(path)));
    this.#writable = [...new Set([projectDir, ...temporary, ...this.#opened])];
    this.#doors = new Doors({ projectDir, opened: this.#opened, temporary, home, env: place.env });
  }

  /** Looks for bubblewrap and tries it once, with everything a session needs of it. */
  static async open(settings: SandboxSettings, place: SandboxPlace): Promise<Sandbox> {
    const sandbox = new Sandbox(settings, place);
    sandbox.#availability = await sandbox.#check();
    return sandbox;
  }

  /** Whoever tells the person what they should know while the session goes on. */
  onProblem(tell: (text: string) => void): void {
    this.#tell = tell;
  }

  get availability(): Availability {
    return this.#availability;
  }

  /** What the person should know before the session begins. */
  get problems(): string[] {
    const lost = this.#opened.filter((path) => !exists(path));
    return [
      ...lost.map((path) => `sandbox: ${path} does not exist, so nothing can be written there`),
      ...(this.#plan?.links ?? []).map((link) => `sandbox: ${linkProblem(link)}`),
    ];
  }

  /** See `startIn`. */
  start(mode: HookSandboxMode, request: ProcessRequest, { endedByItself, hidden }: HowToRun): RunningProcess {
    if (mode === "off") return startProcess(request);
    const { is } = this.#availability;
    if (is === "missing")
      return mode === "auto" ? startProcess(request) : refusedStart(this.#availability.why);
    const prepared = this.#prepare(mode);
    if ("problem" in prepared) return refusedStart(prepared.problem);
    this.#running++;
    // Doors come and go, and where one is gone nothing can be put in its place.
    const mounts = [
      ...prepared.mounts,
      ...this.#doors.mounts(this.#openFolders()),
      ...hidden().map(hiddenMount),
    ];
    const { network } = this.#settings;
    const plan = { mounts, network, asRoot: process.getuid?.() === 0, cwd: request.cwd };
    const running = runInBubblewrap(this.#availability.program, plan, request, endedByItself);
    void running.done.then(() => {
      this.#running--;
      this.#takeAway(prepared.held);
    });
    return running;
  }

  /** One line for the model when a command ran into the sandbox. */
  hint(output: string): string | undefined {
    return this.#availability.is === "there" ? writeHint(output, this.#openFolders()) : undefined;
  }

  /** `isShared`: another Wave works in this project, and what it runs may stand on the same folders. */
  close({ isShared }: { isShared: boolean }): void {
    if (isShared) return;
    for (const placeholder of this.#made.values()) removePlaceholder(placeholder);
  }

  /**
   * What to mount. While a command runs in the sandbox the plan stays as it is: whatever is new on the disk may be that
   * command's, made to be mistaken for a folder of the project.
   */
  #prepare(mode: HookSandboxMode): Plan | { problem: string } {
    let plan = this.#plan;
    try {
      if (this.#running === 0 || !plan) this.#plan = plan = this.#lookAround();
      for (const placeholder of this.#made.values()) makePlaceholder(placeholder);
    } catch (error) {
      return {
        problem: `the sandbox cannot be set up: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
    const { mounts, links } = plan;
    const refused = links.find(({ ifLink }) => ifLink === "refuse");
    if (refused && mode === "required")
      return { problem: `the sandbox cannot be set up: ${linkProblem(refused)}` };
    const { projectDir } = this.#place;
    if (!mounts.some(({ path, as }) => path === projectDir && as === "writable"))
      return {
        problem: `the sandbox cannot be set up: ${projectDir} does not exist any more, or Wave keeps it read-only`,
      };
    return plan;
  }

  #lookAround(): Plan {
    const { projectDir, env, own, register } = this.#place;
    const writable = this.#openFolders();
    const home = homeOf(env);
    const held = heldPaths({ projectDir, home, writable, opened: this.#opened, own: own() });
    const { mounts, links, missing } = layOut(writable, held.paths);
    for (const one of missing) if (makeNoted(one, register)) this.#made.set(one.path, one);
    // What Wave may not make, its commands may not make either.
    return {
      mounts: mounts.filter(({ path }) => exists(path)),
      held,
      links: onePerPath(links),
    };
  }

  /** A folder that became a link, or lies behind one, is not the folder that was named when the session began. */
  #openFolders(): string[] {
    return this.#writable.filter((path) => statOf(path) !== undefined && realPath(path) === path);
  }

  #takeAway(held: Held): void {
    for (const path of held.notToAppear.filter(exists)) {
      rmSync(path, { recursive: true, force: true });
      this.#tell(`a command made ${path}, with which git would run programs of its choice; Wave removed it`);
    }
    for (const folder of newlyEntered(this.#place.projectDir, held)) {
      if (this.#toldOf.has(folder)) continue;
      this.#toldOf.add(folder);
      this.#tell(
        `${folder} became a repository that git enters from this one, so git status here would run what its settings name; look at ${join(folder, ".git")} before you use git`,
      );
    }
  }

  async #check(): Promise<Availability> {
    const { env, projectDir } = this.#place;
    const found = findBubblewrap(env["PATH"], this.#writable);
    if (found.is === "missing") return found;
    this.#availability = found;
    const { mode } = this.#settings;
    return tryOut(found, projectDir, env["PATH"], (request) =>
      this.start(mode === "required" ? mode : "auto", request, {
        endedByItself: () => true,
        hidden: () => [],
      }),
    );
  }
}

/** Whether a session here could have the sandbox that its settings ask for. Nothing is left behind. */
export async function examineSandbox(
  settings: SandboxSettings,
  place: Omit<SandboxPlace, "own">,
): Promise<{ availability: Availability; problems: string[] }> {
  if (settings.mode === "reading")
    return { availability: await new ReadOnlySandbox(place).look(), problems: [] };
  const sandbox = await Sandbox.open(settings, { ...place, own: () => [] });
  const { availability, problems } = sandbox;
  sandbox.close({ isShared: false });
  return { availability, problems };
}

/**
 * Starts a process in the sandbox, or outside of it where the mode says so. One that needs the sandbox and cannot have it does
 * not start, which its end says.
 */
export function startIn(
  sandbox: Sandbox | undefined,
  mode: HookSandboxMode,
  request: ProcessRequest,
  how: HowToRun = { endedByItself: () => false, hidden: () => [] },
): RunningProcess {
  if (sandbox) return sandbox.start(mode, request, how);
  return mode === "required" ? refusedStart("nobody set the sandbox up") : startProcess(request);
}

const homeOf = (env: SandboxPlace["env"]) => realPath(personHome(env));

const linkProblem = ({ path }: HeldPath) =>
  `${path} is a symbolic link, and a command could put another one in its place; make it a file or folder of its own`;

function onePerPath(links: readonly HeldPath[]): HeldPath[] {
  return links.filter(({ path }, at) => links.findIndex((one) => one.path === path) === at);
}
