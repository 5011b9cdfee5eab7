import type { PermissionMode } from "wave-agent-sdk";

export const OUTPUT_FORMATS = ["text", "json", "stream-json"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

// Spelled here and not imported: `wave --help` must not load the whole SDK. The type check keeps them true, and a
// test compares them with the SDK's own list.
export const PERMISSION_MODE_CHOICES = [
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions",
] as const satisfies readonly PermissionMode[];

/** What follows a flag on the command line. */
export type FlagValue =
  | { takes: "nothing" }
  | { takes: "one"; label: string; choices?: readonly string[] }
  /** The argument right behind it, unless that is a flag. */
  | { takes: "maybe-one"; label: string }
  /** May be repeated; each value may hold several, separated by commas or blanks. */
  | { takes: "list"; label: string };

/** Where a flag means something. "session" is everything that talks to a model. */
export type FlagPlace =
  | "everywhere"
  | "session"
  | "hooks"
  | "sessions"
  | "doctor"
  | "mcp"
  | "permissions"
  | "plugin";

export interface Flag {
  name: string;
  short?: string;
  value: FlagValue;
  places: readonly FlagPlace[];
  meaning: string;
}

const nothing: FlagValue = { takes: "nothing" };
const one = (label: string, choices?: readonly string[]): FlagValue =>
  choices ? { takes: "one", label, choices } : { takes: "one", label };

/** The only list of flags: parsing, checks and `wave --help` come from it. */
export const FLAGS: readonly Flag[] = [
  {
    name: "print",
    short: "p",
    value: nothing,
    places: ["session"],
    meaning: "one prompt, no UI; the prompt is an argument of its own, piped input is appended",
  },
  {
    name: "output-format",
    value: one("<format>", OUTPUT_FORMATS),
    places: ["session"],
    meaning: "how print mode answers (default: text)",
  },
  {
    name: "include-hook-events",
    value: nothing,
    places: ["session"],
    meaning: "stream-json also has hooks started, finished, decided",
  },
  {
    name: "permission-mode",
    value: one("<mode>", PERMISSION_MODE_CHOICES),
    places: ["session"],
    meaning: "permission mode; hooks run in every mode",
  },
  {
    name: "continue",
    short: "c",
    value: nothing,
    places: ["session"],
    meaning: "go on with the latest session of this folder",
  },
  {
    name: "resume",
    short: "r",
    value: { takes: "maybe-one", label: "[id]" },
    places: ["session"],
    meaning: "go on with a session, by its id or name; without one: the latest",
  },
  {
    name: "fork",
    value: nothing,
    places: ["session"],
    meaning: "with -c or -r: leave that session as it is, go on in a copy",
  },
  { name: "model", value: one("<name>"), places: ["session", "doctor"], meaning: "the model to use" },
  {
    name: "settings",
    value: one("<file>"),
    places: ["session", "hooks", "doctor", "mcp", "permissions"],
    meaning: "one more settings file, read after the project's",
  },
  {
    name: "mcp-config",
    value: one("<file>"),
    places: ["session"],
    meaning: "a file with mcpServers, for this run",
  },
  {
    name: "plugin-dir",
    value: { takes: "list", label: "<folder>" },
    places: ["session"],
    meaning: "the folder of a plugin, for this run",
  },
  {
    name: "max-turns",
    value: one("<n>"),
    places: ["session"],
    meaning: "at most n model calls for the prompt",
  },
  {
    name: "allowed-tools",
    value: { takes: "list", label: "<rules>" },
    places: ["session"],
    meaning: 'allow rules, e.g. "Bash(git log:*),Edit"',
  },
  {
    name: "disallowed-tools",
    value: { takes: "list", label: "<rules>" },
    places: ["session"],
    meaning: "deny rules",
  },
  {
    name: "no-hooks",
    value: nothing,
    places: ["session"],
    meaning: "run only managed hooks; prints which are skipped",
  },
  {
    name: "no-project-hooks",
    value: nothing,
    places: ["session"],
    meaning: "run no hook of the project's own files; prints which",
  },
  {
    name: "trust-hooks",
    value: one("<sha256>"),
    places: ["session"],
    meaning: "approve exactly this set of the project's hooks (wave hooks trust hash)",
  },
  {
    name: "allow-self-config",
    value: nothing,
    places: ["session"],
    meaning: "treat protected files like any other file (prints a warning)",
  },
  {
    name: "json",
    value: nothing,
    places: ["hooks", "sessions", "doctor", "mcp", "permissions", "plugin"],
    meaning: "of hooks, permissions, mcp, plugin, sessions and doctor: print JSON",
  },
  {
    name: "project",
    value: nothing,
    places: ["mcp"],
    meaning: "of mcp add and remove: in .mcp.json of this project, for everybody who works in it",
  },
  {
    name: "all",
    value: nothing,
    places: ["sessions"],
    meaning: "of sessions list: also those in which nothing was said",
  },
  {
    name: "force",
    value: nothing,
    places: ["sessions"],
    meaning: "of sessions export: replace a file that is there",
  },
  {
    name: "session",
    value: one("<id>"),
    places: ["hooks"],
    meaning: "of hooks explain: the session (default: the latest)",
  },
  { name: "debug", value: nothing, places: ["session"], meaning: "write every event to stderr" },
  { name: "version", short: "v", value: nothing, places: ["everywhere"], meaning: "print the version" },
  { name: "help", short: "h", value: nothing, places: ["everywhere"], meaning: "print this" },
];

/** Sub-commands, with what `wave --help` says about them. */
export const COMMANDS = [
  { usage: "wave acp", meaning: "serve an editor: the Agent Client Protocol on stdin and stdout" },
  { usage: "wave demo", meaning: "a complete session with hooks; no key, no network" },
  { usage: "wave doctor", meaning: "look for what keeps Wave from working here, and say what to do" },
  { usage: "wave hooks list", meaning: "every configured hook, and what is wrong with it" },
  { usage: "wave hooks plan <event> [tool] [input]", meaning: "which hooks would run, and why not" },
  {
    usage: "wave hooks explain [which]",
    meaning: "who decided what, and why: the last call, all, or one by number, event or call id",
  },
  { usage: "wave hooks new [which]", meaning: "write a first hook with its test" },
  { usage: "wave hooks test [file or folder]…", meaning: "run the *.hooktest.json files beside your hooks" },
  {
    usage: "wave hooks trust [approve <hash>|revoke|hash]",
    meaning: "what this project's files would run; nothing runs before you approve it",
  },
  { usage: "wave init", meaning: "write a first AGENTS.md and .wave/settings.json for this folder" },
  { usage: "wave mcp list", meaning: "the MCP servers of this project, and those that wait for approval" },
  {
    usage: "wave mcp add <name> [NAME=value]… -- <command>…",
    meaning: "name a server in your settings; wave mcp add <name> <address> for one that is reached by http",
  },
  { usage: "wave mcp remove <name>", meaning: "take it out again" },
  {
    usage: "wave mcp login <name>",
    meaning: "sign in to a server that wants it, in your browser; wave mcp logout <name> forgets it",
  },
  { usage: "wave mcp test", meaning: "start each server once, and list its tools or say why it fails" },
  {
    usage: "wave permissions",
    meaning: "every permission rule, what it matched lately, and what was denied",
  },
  { usage: "wave plugin list", meaning: "the plugins that you added" },
  {
    usage: "wave plugin add <folder or address>",
    meaning: "show what a plugin would bring, and how to add exactly that",
  },
  { usage: "wave plugin remove <name>", meaning: "take it away, with all that it brought" },
  { usage: "wave sessions list", meaning: "the sessions of this folder" },
  { usage: "wave sessions show <id>", meaning: "what was said and done in one" },
  { usage: "wave sessions search <text>", meaning: "the sessions of this folder in which it was said" },
  { usage: "wave sessions rename <id> <name>", meaning: "give one a name" },
  { usage: "wave sessions export [id] [file]", meaning: "write one as Markdown; default: the latest" },
] as const;

export const COMMAND_NAMES = [
  "acp",
  "demo",
  "doctor",
  "hooks",
  "init",
  "mcp",
  "permissions",
  "plugin",
  "sessions",
] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];
