import type { Tool, ToolSession } from "../tool.ts";

/** What a session lends to its sources. */
export interface SourceHost {
  session: Pick<ToolSession, "projectDir" | "env" | "sandbox" | "register">;
  /** Tells the person. */
  say(level: "info" | "warning" | "error", text: string): void;
}

/** What becomes of a source, for people. */
export interface SourceStatus {
  name: string;
  /** "lost": it is started again. */
  state: "starting" | "ready" | "lost" | "failed" | "closed";
  /** Why it is lost or failed. */
  why?: string;
  tools: readonly { name: string; description: string }[];
}

/** Where tools come from. A new kind of source is one file here and one line where a session gathers its sources. */
export interface ToolSource {
  /** For people: "built-in", "MCP server github". */
  readonly name: string;
  /** The tools there are now, in the order the model sees them. The same list until something changes. */
  list(): readonly Tool[];
  /** Starts what has to be started. Resolves when nobody needs to wait for it any longer. Never rejects. */
  open(host: SourceHost): Promise<void>;
  /** What a person sees of it: itself, or each server behind it. */
  status(): readonly SourceStatus[];
  /** Calls back after every change of `list`. */
  changed(listener: () => void): void;
  /** Ends all that the source has started. Afterwards `list` is empty. Never rejects. */
  close(): Promise<void>;
}

/** A source whose tools are always the same and that has nothing to end. */
export function fixedSource(name: string, tools: readonly Tool[]): ToolSource {
  let list = tools;
  return {
    name,
    list: () => list,
    status: () => [{ name, state: "ready", tools: list }],
    open: async () => {},
    changed: () => {},
    close: async () => {
      list = [];
    },
  };
}
