import type { Agent } from "wave-agent-sdk";

/** What the controller needs of an agent. */
export type ControlledAgent = Pick<
  Agent,
  | "sendMessage"
  | "readImage"
  | "steer"
  | "compact"
  | "undoCompact"
  | "runShell"
  | "addNote"
  | "takeBackPrompt"
  | "abort"
  | "permissionMode"
  | "model"
  | "context"
  | "messages"
> & { commands: Pick<Agent["commands"], "expand"> };
