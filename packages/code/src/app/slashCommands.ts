import { describeFailedOpen, PERMISSION_MODES } from "wave-agent-sdk";
import { serverLines } from "../panels/mcpServers.ts";
import { costLines } from "../panels/costTally.ts";
import type { CommandScreen } from "./commandScreen.ts";
import { exportTo, rename, undoRewind } from "./goingBack.ts";
import { openReview } from "./reviewing.ts";

export interface SlashCommand {
  /** One line for completion and help. */
  does: string;
  run(argument: string, screen: CommandScreen): void;
}

/**
 * What begins with a slash in the prompt, the most used first. One table: completion, help and dispatch come from it.
 */
export const SLASH_COMMANDS = {
  help: { does: "keys and commands", run: (_argument, { open }) => open({ show: "help" }) },
  hooks: {
    does: "every hook, what it did, and a switch for each; /hooks why explains the last call, /hooks reload activates changed settings, /hooks trust approves new ones",
    run: (argument, screen) => {
      if (argument === "reload") return openReview("changes", "opened", screen);
      if (argument === "trust") return openReview("everything", "opened", screen);
      screen.open({ show: "hooks", view: argument === "why" ? "why" : "list" });
    },
  },
  resume: {
    does: "go on with an earlier session; /resume login lists those with that word",
    run: (argument, { open }) => open({ show: "sessions", query: argument }),
  },
  clear: {
    does: "start a new session; the old one stays on disk",
    run: (_argument, { leave }) => leave({ to: "new-session" }),
  },
  compact: {
    does: "summarise the conversation; /compact undo brings it back",
    run: (argument, { controller }) =>
      argument === "undo" ? controller.undoCompact() : controller.compact(argument),
  },
  rewind: {
    does: "go back to an earlier prompt, with the files; /rewind undo takes that back",
    run: (argument, screen) =>
      argument === "undo" ? void undoRewind(screen) : screen.open({ show: "rewind" }),
  },
  model: { does: "the model of this session; /model name changes it", run: changeModel },
  mode: { does: "permission mode: default, acceptEdits, plan, …", run: changeMode },
  permissions: {
    does: "every rule: what it matched, what was denied; add, edit, move or remove rules",
    run: (_argument, { open }) => open({ show: "permissions" }),
  },
  tasks: {
    does: "commands in the background and sub-agents: read their output, end them",
    run: (_argument, { open }) => open({ show: "tasks" }),
  },
  mcp: {
    does: "MCP servers and their tools",
    run: (_argument, { controller, session }) =>
      controller.notice("info", serverLines(session.toolSources()).join("\n")),
  },
  doctor: {
    does: "look for what keeps Wave from working here, and say what to do",
    run: (_argument, { open }) => open({ show: "doctor" }),
  },
  history: {
    does: "print earlier messages of a resumed session",
    run: (_argument, { controller, session }) => controller.showEarlier(session.messages()),
  },
  rename: { does: "give this session a name: /rename the login fix", run: rename },
  export: {
    does: "write this session as Markdown: /export [--force] [file]",
    run: (argument, screen) => void exportTo(argument, screen),
  },
  cost: {
    does: "tokens and calls of each model, and time in hooks",
    run: (_argument, screen) => tellCost(screen),
  },
  exit: { does: "leave", run: (_argument, { leave }) => leave({ to: "exit" }) },
} as const satisfies Record<string, SlashCommand>;

export type SlashCommandName = keyof typeof SLASH_COMMANDS;

/** For the list below the prompt and for the help. */
export function commandList(): { name: SlashCommandName; does: string }[] {
  return Object.entries(SLASH_COMMANDS).flatMap(([name, { does }]) =>
    isSlashCommand(name) ? [{ name, does }] : [],
  );
}

export const isSlashCommand = (name: string): name is SlashCommandName => Object.hasOwn(SLASH_COMMANDS, name);

function changeModel(argument: string, { controller, open }: CommandScreen): void {
  if (argument === "") open({ show: "models" });
  else controller.setModel(argument);
}

function changeMode(argument: string, { controller }: CommandScreen): void {
  const mode = PERMISSION_MODES.find((one) => one === argument);
  if (mode) controller.setMode(mode);
  else controller.notice("warning", `choose a mode: ${PERMISSION_MODES.join(", ")}`);
}

function tellCost({ controller, session }: CommandScreen): void {
  controller.notice("info", costLines(controller.store.state.cost, session.earlierUsage()).join("\n"));
  const failedOpen = describeFailedOpen(controller.store.state.hookTally.failedOpen);
  if (failedOpen !== undefined) controller.notice("warning", failedOpen);
}
