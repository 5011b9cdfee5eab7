import { PERMISSION_MODES } from "wave-agent-sdk";
import type { Overlay } from "./overlay.ts";
import type { SessionActions } from "./sessionActions.ts";
import type { SessionController } from "./sessionController.ts";
import type { Leaving } from "./App.tsx";

/** What a command may do to the screen it was typed on. */
export interface CommandScreen {
  controller: SessionController;
  session: SessionActions;
  open: (overlay: Overlay) => void;
  leave: (leaving: Leaving) => void;
}

export interface SlashCommand {
  /** One line for completion and help. */
  does: string;
  run(argument: string, screen: CommandScreen): void;
}

/** What begins with a slash in the prompt. One table: completion, help and dispatch come from it. */
export const SLASH_COMMANDS = {
  hooks: {
    does: "every hook, what it did, and a switch for each; /hooks why explains the last call",
    run: (argument, { open }) => open({ show: "hooks", view: argument === "why" ? "why" : "list" }),
  },
  help: { does: "keys and commands", run: (_argument, { open }) => open({ show: "help" }) },
  clear: {
    does: "start a new session; the old one stays on disk",
    run: (_argument, { leave }) => leave({ to: "new-session" }),
  },
  resume: {
    does: "go on with an earlier session",
    run: (_argument, { open }) => open({ show: "sessions" }),
  },
  mode: { does: "who is asked before a tool runs: /mode acceptEdits", run: changeMode },
  cost: { does: "tokens of this session", run: (_argument, { controller }) => tellCost(controller) },
  exit: { does: "leave", run: (_argument, { leave }) => leave({ to: "exit" }) },
} as const satisfies Record<string, SlashCommand>;

export type SlashCommandName = keyof typeof SLASH_COMMANDS;

export const isSlashCommand = (name: string): name is SlashCommandName => Object.hasOwn(SLASH_COMMANDS, name);

function changeMode(argument: string, { controller }: CommandScreen): void {
  const mode = PERMISSION_MODES.find((one) => one === argument);
  if (mode) controller.setMode(mode);
  else controller.notice("warning", `choose a mode: ${PERMISSION_MODES.join(", ")}`);
}

function tellCost(controller: SessionController): void {
  const tokens = controller.store.state.totalTokens.toLocaleString("en-US");
  controller.notice("info", `${tokens} tokens in this session`);
}
