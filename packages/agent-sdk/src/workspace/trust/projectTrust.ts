import type { AgentOptions, TrustOption } from "../../agentOptions.ts";
import { hookIdOf, isOfProject, type HookDefinition } from "../../hooks/definition.ts";
import { sha256, type ProjectSetting } from "../../hooks/fingerprint.ts";
import type { Settings } from "../settings/settings.ts";
import type { PermissionRuleSource } from "../settings/permissions.ts";
import { INSTRUCTIONS_FILE, instructionsText, readInstructions } from "../instructions.ts";
import { textsOfProject, type FoundText } from "../texts/findTexts.ts";
import { reviewWays } from "../../hooks/plan.ts";
import { approvedSettings, pinned, readProjectTrust, type ProjectTrust } from "./trust.ts";

/** What of a project's files counts in this session. */
export interface BelievedProject {
  /** In the form in which they run. */
  hooks: HookDefinition[];
  /** Ids of hooks that nobody approved: they do not run, and what they would judge is asked. */
  unreviewed: ReadonlySet<string>;
  rules: PermissionRuleSource[];
  /** The state of its repository may be read. */
  folder: boolean;
  /** Whether this of the project's settings was approved, with this value. */
  believes: (setting: ProjectSetting) => boolean;
  /** What the model is told of AGENTS.md: the bytes that were looked at, whatever the file says later. */
  instructions: string;
  /** Its commands and skills. */
  texts: FoundText[];
  /** What was looked at, with what counts as approved in this session; undefined when the program vouches for all of it. */
  project: ProjectTrust | undefined;
  notices: { level: "info" | "warning" | "error"; text: string }[];
}

/** Nothing of a project runs or is believed before a person said yes to it, in exactly this form (T37, T40, G18). */
export function believeProject(
  trust: TrustOption,
  { hookScope = "all", reviewCommand }: Pick<AgentOptions, "hookScope" | "reviewCommand">,
  given: { home: string; projectDir: string; settings: Settings },
): BelievedProject {
  const { hooks, permissions, ofProject } = given.settings;
  if (trust === "given") {
    return {
      hooks,
      unreviewed: new Set(),
      rules: permissions.rules,
      folder: true,
      believes: () => true,
      instructions: instructionsText(readInstructions(given.projectDir)),
      texts: textsOfProject(given.projectDir).texts,
      project: undefined,
      notices: [],
    };
  }
  // Hooks that are left out on purpose need no review.
  const counted = hookScope === "all" ? hooks : [];
  const stored = readProjectTrust({ ...given, hooks: counted, rules: permissions.rules, ofProject });
  const named = trust !== "store" && trust.sha256.toLowerCase() === stored.sha256;
  // Whoever names a set means that set, whatever was approved on this machine before.
  const project = trust === "store" ? stored : asNamed(stored, named);
  const open = openItems(project);
  const running = new Map<string, HookDefinition>();
  for (const one of project.items) {
    const hook = one.state === "reviewed" ? pinned(given.home, project, one) : undefined;
    if (hook) running.set(hookIdOf(hook), hook);
  }
  const openRules = new Set(open.flatMap(({ item }) => (item.kind === "allow-rule" ? [item.rule] : [])));
  const openHooks = open.flatMap(({ item }) => (item.kind === "hook" ? [item.hook] : []));
  const openSettings = open.flatMap(({ item }) => (item.kind === "setting" ? [item.name] : []));
  return {
    hooks: hooks.map((hook) => running.get(hookIdOf(hook)) ?? hook),
    unreviewed: new Set(openHooks.map(hookIdOf)),
    rules: permissions.rules.filter(
      ({ rule, behavior, scope }) => behavior !== "allow" || !isOfProject(scope) || !openRules.has(rule),
    ),
    folder: project.folder === "trusted",
    believes: approvedSettings(project),
    instructions: approvedText(project),
    texts: approvedTexts(project, textsOfProject(given.projectDir).texts),
    project,
    notices: [
      ...project.warnings.filter((text) => text.includes("trust.json")).map(warning),
      ...(trust === "store" || named ? [] : [error(otherSet(trust.sha256, project))]),
      ...noticeOnHooks(openHooks, reviewWays(reviewCommand)),
      ...(openRules.size === 0 ? [] : [warning(onRules([...openRules], reviewWays(reviewCommand)))]),
      ...(openSettings.length === 0
        ? []
        : [warning(onSettings([...new Set(openSettings)], reviewWays(reviewCommand)))]),
      ...noticeOnTexts(open, reviewWays(reviewCommand)),
    ],
  };
}

/** What a person has not said yes to in this form. */
export const openItems = ({ items }: ProjectTrust) => items.filter(({ state }) => state !== "reviewed");

function approvedText({ projectDir, folder, items }: ProjectTrust): string {
  const found = items.find(({ item }) => item.kind === "instructions" && item.path === INSTRUCTIONS_FILE);
  // Nothing to approve: there are none, or they cannot be read, which is said only where the folder may be looked at.
  if (!found) return folder === "trusted" ? whyNoText(projectDir) : "";
  const { item, files, state } = found;
  const [file] = files;
  if (state !== "reviewed" || !file || item.kind !== "instructions") return "";
  return instructionsText({ found: "text", bytes: file.bytes, size: file.bytes.length + item.unread });
}

function whyNoText(projectDir: string): string {
  const read = readInstructions(projectDir);
  // By now there is a text: nobody has looked at it.
  return read.found === "text" ? "" : instructionsText(read);
}

function asNamed(project: ProjectTrust, named: boolean): ProjectTrust {
  return {
    ...project,
    folder: named ? "trusted" : "unknown",
    items: project.items.map((one) => ({
      ...one,
      state: named ? "reviewed" : one.state === "reviewed" ? "new" : one.state,
    })),
  };
}

const otherSet = (sha256: string, project: ProjectTrust) =>
  `--trust-hooks names another set of hooks (${sha256.slice(0, 12)}…): this project's is ${project.sha256}; wave hooks trust shows it`;

function noticeOnHooks(hooks: readonly HookDefinition[], ways: string): BelievedProject["notices"] {
  if (hooks.length === 0) return [];
  const names = hooks.map(({ name }) => name).join(", ");
  const which =
    hooks.length === 1 ? "1 hook of this project is" : `${hooks.length} hooks of this project are`;
  return [
    warning(
      `${which} off because nobody approved ${hooks.length === 1 ? "it" : "them"} in this form (${names}): calls they would judge are asked or refused; ${ways} shows and approves them`,
    ),
  ];
}

const onRules = (rules: readonly string[], ways: string) =>
  `allow rules of this project do not count until somebody approves them (${ways}): ${rules.join(", ")}`;

/** Without the values: one may be a key. */
const onSettings = (names: readonly string[], ways: string) =>
  `settings of this project do not count until somebody approves them in this form (${ways}): ${names.join(", ")}`;

function noticeOnTexts(open: ProjectTrust["items"], ways: string): BelievedProject["notices"] {
  const paths = open.flatMap(({ item }) => (item.kind === "instructions" ? [item.path] : []));
  const others = paths.filter((path) => path !== INSTRUCTIONS_FILE);
  const shows = `${ways} shows and approves`;
  return [
    ...(paths.length > others.length
      ? [
          warning(
            `${INSTRUCTIONS_FILE} is not read to the model: nobody approved it in this form; ${shows} it`,
          ),
        ]
      : []),
    ...(others.length > 0
      ? [warning(`not offered, because nobody approved them in this form: ${listed(others)}; ${shows} them`)]
      : []),
  ];
}

const MOST_NAMED = 5;
const listed = (paths: readonly string[]) =>
  paths.length > MOST_NAMED
    ? `${paths.slice(0, MOST_NAMED).join(", ")} and ${paths.length - MOST_NAMED} more`
    : paths.join(", ");

/** The texts of the project that somebody approved, as they were then. */
function approvedTexts({ items }: ProjectTrust, texts: readonly FoundText[]): FoundText[] {
  const approved = new Set(
    items.flatMap(({ item, state }) =>
      item.kind === "instructions" && state === "reviewed" ? [`${item.path} ${item.sha256}`] : [],
    ),
  );
  return texts.filter(({ path, bytes }) => approved.has(`${path} ${sha256(bytes)}`));
}

const warning = (text: string) => ({ level: "warning" as const, text });
const error = (text: string) => ({ level: "error" as const, text });
