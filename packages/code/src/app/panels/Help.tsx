import { HelpPanel } from "../../components/HelpPanel.tsx";
import { keyHelp } from "../../input/keys.ts";
import { commandList } from "../slashCommands.ts";
import type { PanelScreen } from "./panelScreen.ts";

export function Help({ session, columns, rows, onClose }: PanelScreen) {
  const ofFiles = session.commands().map(({ name, description, scope }) => ({
    keys: `/${name}`,
    does: description,
    where: scope === "mcp" ? "Prompts of MCP servers" : "Commands in files",
  }));
  return (
    <HelpPanel
      rows={[...COMMANDS, ...ofFiles, ...OTHERS]}
      columns={columns}
      height={rows}
      onClose={onClose}
    />
  );
}

const COMMANDS = commandList().map(({ name, does }) => ({ keys: `/${name}`, does, where: "Commands" }));

const OTHERS = [
  ...[
    { keys: "!command", does: "run it in your shell; the model sees it with the next prompt" },
    { keys: "#note", does: "add a line to AGENTS.md, which the model reads" },
  ].map((row) => ({ ...row, where: "At the beginning of a prompt" })),
  ...keyHelp(),
];
