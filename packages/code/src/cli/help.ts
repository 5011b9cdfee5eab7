import { wrapText } from "../utils/wrapText.ts";
import { COMMANDS, FLAGS, type CommandName, type Flag } from "./flags.ts";

const WIDTH = 80;
const COLUMN = 32;

/** The whole of `wave --help`, from the flag table; fits 80 columns. */
export function helpText(): string {
  return [
    "Wave: a terminal coding agent whose hooks cannot be bypassed.",
    "",
    "Usage",
    ...COMMANDS_FIRST.map(([usage, meaning]) => row(usage, meaning)),
    ...COMMANDS.map(({ usage, meaning }) => row(usage, meaning)),
    "",
    "Flags",
    ...FLAGS.map((flag) => row(spelling(flag), meaningOf(flag))),
    "",
    "Examples",
    ...EXAMPLES.map((example) => `  ${example}`),
    "",
    "Environment",
    row("OPENAI_API_KEY, ANTHROPIC_API_KEY", "your key: the provider follows from the one that is set"),
    row("GEMINI_API_KEY, OPENROUTER_API_KEY", "the same for Google (or GOOGLE_API_KEY) and OpenRouter"),
    row("WAVE_MODEL", "which model, as provider/model"),
    row("WAVE_BASE_URL, WAVE_API_KEY", "a server of your own that speaks like OpenAI, and its key"),
    row("WAVE_MODEL_TIMEOUT", "seconds without a word after which to give up waiting (default: 300)"),
    row("WAVE_ANSWER_PAUSE", "milliseconds without typing before a question takes keys (default: 700)"),
    row("WAVE_HOME", "settings and sessions of the user (default: ~/.wave)"),
    row("NO_COLOR", "no colours; a pipe never gets any"),
    "",
    "Exit status of print mode, the first that applies",
    ...EXIT_STATUS.map(([status, meaning]) => row(status, meaning)),
    "",
  ].join("\n");
}

/** `wave hooks --help`: what there is about hooks, and nothing else. */
export function commandHelp(name: CommandName): string {
  const own = COMMANDS.filter(({ usage }) => usage === `wave ${name}` || usage.startsWith(`wave ${name} `));
  const flags = FLAGS.filter(({ places }) => places.some((place) => place === name));
  const examples = EXAMPLES.filter((example) => example.startsWith(`wave ${name} `));
  return [
    ABOUT[name],
    "",
    "Usage",
    ...own.map(({ usage, meaning }) => row(usage, meaning)),
    ...section(
      "Flags",
      flags.map((flag) => row(spelling(flag), meaningOf(flag))),
    ),
    ...section(
      "Examples",
      examples.map((example) => `  ${example}`),
    ),
    "",
    "wave --help shows everything else.",
    "",
  ].join("\n");
}

const section = (title: string, rows: readonly string[]) => (rows.length === 0 ? [] : ["", title, ...rows]);

const ABOUT: Record<CommandName, string> = {
  acp: "wave acp: serve an editor that speaks the Agent Client Protocol; it starts Wave itself.",
  demo: "wave demo: see Wave work, without a key and without network.",
  doctor: "wave doctor: find out why Wave does not work here.",
  hooks: "wave hooks: see, test and approve the hooks of this project.",
  init: "wave init: write a first AGENTS.md and .wave/settings.json, and change nothing that is there.",
  mcp: "wave mcp: see and try the MCP servers of this project.",
  permissions: "wave permissions: see the permission rules of this project and what they did.",
  plugin:
    "wave plugin: see, add and remove plugins: folders with hooks, MCP servers, commands, skills and sub-agents.",
  sessions: "wave sessions: list, read and export earlier sessions of this folder.",
};

const EXAMPLES = [
  'wave -p "what does this project do?"',
  'git diff | wave -p "review this change"',
  'wave -p -c --permission-mode acceptEdits "now fix the second point"',
  'wave -p --output-format json "list the TODOs" | jq .result',
  "wave -p -- --this-is-a-prompt-and-not-a-flag",
  `wave hooks plan PreToolUse Bash '{"command":"git push --force"}'`,
  "wave hooks explain all",
  'wave sessions search "login"',
];

const COMMANDS_FIRST = [
  ["wave", "the terminal UI; without a model: what to set, and the demo"],
  ['wave -p "…"', "do one prompt and exit"],
] as const;

const EXIT_STATUS = [
  ["130, 143", "interrupted by Ctrl-C, by SIGTERM"],
  ["78", "settings that cannot be read, or project hooks that nobody approved: nothing guards"],
  ["5", "a hook ended the run"],
  ["3", "a hook blocked the prompt"],
  ["4", "something was asked that nobody could answer"],
  ["1", "failed: model error, --max-turns, or a part of the session was lost"],
  ["2", "wrong usage"],
  ["0", "done"],
] as const;

function spelling(flag: Flag): string {
  const label = flag.value.takes === "nothing" ? "" : ` ${flag.value.label}`;
  return `${flag.short ? `-${flag.short}, ` : ""}--${flag.name}${label}`;
}

function meaningOf(flag: Flag): string {
  const choices = flag.value.takes === "one" ? flag.value.choices : undefined;
  return choices ? `${flag.meaning}: ${choices.join(", ")}` : flag.meaning;
}

function row(left: string, right: string): string {
  const lines = wrapText(right, WIDTH - COLUMN);
  const start = `  ${left}`;
  // A left side that is too long for its column stands on a line of its own.
  const first = start.length < COLUMN ? start.padEnd(COLUMN) + (lines.shift() ?? "") : start;
  return [first, ...lines.map((line) => " ".repeat(COLUMN) + line)].join("\n");
}
