import { isOfProject, type HookDefinition } from "../../hooks/definition.ts";
import { sandboxSchema } from "./schema.ts";
import {
  hookSandbox,
  mergeSandbox,
  type GivenSandbox,
  type SandboxSettings,
} from "../../permissions/sandbox.ts";
import type { SandboxMode } from "../../permissions/sandboxModes.ts";
import { quoted } from "../../utils/quoted.ts";
import { fieldOf, nodeOfValue, plainValue, type SettingsNode, type SettingsObject } from "./node.ts";
import { whyWrong, type Report } from "./problem.ts";

const word = () => sandboxSchema().options[0];
const fields = () => sandboxSchema().options[1].shape;

/** What cannot be understood must not leave commands unguarded because of a typing mistake. */
const STRICT: SandboxMode = "required";

/** `sandbox` of one file or option, and where to say that a word of it does not count. */
export interface ReadSandbox extends GivenSandbox {
  node: SettingsNode;
  report: Report;
}

export function readSandbox(
  root: SettingsObject,
  place: Pick<GivenSandbox, "scope" | "from">,
  report: Report,
): ReadSandbox | undefined {
  const node = fieldOf(root, "sandbox");
  if (node === undefined) return undefined;
  const { scope, from } = place;
  const given = { scope, from, node, report };
  if (node.type !== "object") {
    const parsed = word().safeParse(plainValue(node));
    if (!parsed.success)
      report("error", node, `${whyWrong("sandbox", parsed.error, node)}; it is read as ${quoted(STRICT)}`);
    return { ...given, mode: parsed.data ?? STRICT };
  }
  for (const { key, node: field } of node.entries) {
    if (!Object.hasOwn(fields(), key))
      report(
        "warning",
        field,
        `${quoted(key)} is not a setting of sandbox and is not used; there are ${Object.keys(fields()).join(", ")}`,
      );
  }
  const mode = fieldOf(node, "mode");
  // A project may say no more than that the network is off.
  if (mode === undefined && !isOfProject(scope))
    report("error", node, `sandbox has no "mode"; it is read as ${quoted(STRICT)}`);
  return {
    ...given,
    mode:
      mode === undefined
        ? isOfProject(scope)
          ? undefined
          : STRICT
        : readField(mode, "mode", STRICT, report),
    network: readField(fieldOf(node, "network"), "network", false, report),
    writable: readField(fieldOf(node, "writable"), "writable", [], report),
  };
}

/** Of Agent.create, under the same rules as in a file: the type of the option is not relied on. */
export function sandboxOfOption(option: unknown, report: Report): ReadSandbox[] {
  const root = nodeOfValue({ sandbox: option }, "");
  const read =
    root.type === "object" ? readSandbox(root, { scope: "sdk", from: "Agent.create" }, report) : undefined;
  return read ? [read] : [];
}

function readField<K extends keyof ReturnType<typeof fields>>(
  field: SettingsNode | undefined,
  name: K,
  ifWrong: NonNullable<ReturnType<ReturnType<typeof fields>[K]["parse"]>>,
  report: Report,
): typeof ifWrong | undefined {
  if (field === undefined) return undefined;
  const parsed = fields()[name].safeParse(plainValue(field));
  if (parsed.success) return parsed.data as typeof ifWrong;
  report("error", field, `${whyWrong(name, parsed.error, field)}; it is read as ${JSON.stringify(ifWrong)}`);
  return ifWrong;
}

/** What holds for the session. What does not count is reported where it stands. */
export function settleSandbox(given: readonly ReadSandbox[]): SandboxSettings {
  const { settings, unused } = mergeSandbox(given);
  for (const { given: one, field, why } of unused) {
    const read = given.find((candidate) => candidate === one);
    const place = read?.node.type === "object" ? fieldOf(read.node, field) : read?.node;
    if (read && place) read.report("warning", place, why);
  }
  return settings;
}

/** A hook's own word that is looser than it may be. */
export function reportLooserHooks(
  hooks: readonly HookDefinition[],
  settings: SandboxSettings,
  reportFor: (file: string | undefined) => Report,
): void {
  for (const hook of hooks) {
    const holds = hookSandbox(hook, settings);
    if (hook.sandbox === undefined || hook.sandbox === holds) continue;
    const { file, line, path } = hook.source;
    const why = `sandbox ${quoted(hook.sandbox)} is not used: ${settings.from} says ${quoted(holds)}`;
    reportFor(file)("warning", { path: `${path}.sandbox`, line }, why);
  }
}
