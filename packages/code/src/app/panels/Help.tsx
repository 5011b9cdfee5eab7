import { HelpPanel } from "../../components/HelpPanel.tsx";
import { keyHelp } from "../../input/keys.ts";
import { commandList } from "../slashCommands.ts";
import type { PanelScreen } from "./panelScreen.ts";

export function Help({ columns, rows, onClose }: PanelScreen) {
  return <HelpPanel rows={HELP} columns={columns} height={rows} onClose={onClose} />;
}

const HELP = [
  ...commandList().map(({ name, does }) => ({ keys: `/${name}`, does, where: "Commands" })),
  ...[
    { keys: "!command", does: "run it in your shell; the model sees it with the next prompt" },
    { keys: "#note", does: "add a line to AGENTS.md, which the model reads" },
  ].map((row) => ({ ...row, where: "At the beginning of a prompt" })),
  ...keyHelp(),
];
