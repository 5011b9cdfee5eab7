import type { HookEvent } from "../events.ts";

/** A tool of Wave's as another agent has it. */
export interface ToolThere {
  name: string;
  /** Other names that matchers have for it. */
  also?: readonly string[];
  /** Fields of its input that are called otherwise: Wave's name, and the one there. */
  fields?: Readonly<Record<string, string>>;
}

/** One hook that is about to be asked, or has answered. */
export interface Asked {
  event: HookEvent;
  /** The event as the hook's own file calls it. */
  as: string;
  /** The fields of Wave's input. */
  fields: Readonly<Record<string, unknown>>;
  now: Date;
  /** For agents that tell a hook what is in a file. Undefined: there is no such text. */
  contentOf: (path: string) => string | undefined;
}

/** What hooks of another agent read and print. Only names and shapes: what a decision means is decided for all alike. */
export interface DialectRow {
  readonly agent: string;
  /** By Wave's name. */
  readonly tools: Readonly<Record<string, ToolThere>>;
  /** What `mcp__server__tool` is called there. Absent: the same. */
  readonly mcpName?: (server: string, tool: string) => string;
  /** What it reads on stdin. */
  input(asked: Asked): Record<string, unknown>;
  /** What it printed, in Wave's words. What has no counterpart stays as it is, so that it is reported. */
  output(printed: Readonly<Record<string, unknown>>, asked: Asked): Record<string, unknown>;
  /** What plain text on stdout is there. Absent: as with Wave's own. */
  readonly plainText?: "system-message";
  /** Exit codes that mean no there, beside 2. */
  readonly refuses?: (code: number) => boolean;
  /** Variables that its scripts look for. */
  variables?(place: { projectDir: string; sessionId: string }): Record<string, string>;
}
