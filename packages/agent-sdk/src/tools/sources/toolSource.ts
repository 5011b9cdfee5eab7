import type { Tool, ToolSession } from "../tool.ts";

/** What a session lends to its sources. */
export interface SourceHost {
  session: Pick<ToolSession, "projectDir" | "env" | "sandbox" | "register">;
  /** Asks the person what a server wants to know. Never rejects. Absent: nobody can be asked. */
  ask?: (question: ServerQuestion, signal: AbortSignal) => Promise<ServerAnswer>;
  /** Tells the person. */
  say(level: "info" | "warning" | "error", text: string): void;
}

/** What an MCP server wants of a person. */
export interface ServerQuestion {
  server: string;
  message: string;
  /** form: values; url: that a page is opened. */
  mode: "form" | "url";
  /** The fields of a form, as a JSON Schema. */
  schema?: Record<string, unknown>;
  url?: string;
  /** What the server calls the question. */
  id?: string;
}

export type ServerAnswer =
  | { action: "accept"; content?: Record<string, string | number | boolean | string[]> }
  | { action: "decline" | "cancel" };

/** What becomes of a source, for people. */
export interface SourceStatus {
  name: string;
  /** "lost": it is started again. */
  state: "starting" | "ready" | "lost" | "failed" | "closed";
  /** Why it is lost or failed. */
  why?: string;
  tools: readonly Listed[];
  /** Prompts that a person can call for: `/mcp__server__prompt`. */
  prompts?: readonly Listed[];
  /** What a prompt can name: `@server:uri`; names are without the @. */
  resources?: readonly Listed[];
}

interface Listed {
  name: string;
  description: string;
}

/** Names and words, without what can be called. */
export function plainStatus({ tools, prompts, resources, ...rest }: SourceStatus): SourceStatus {
  const plain = (list: readonly Listed[]) => list.map(({ name, description }) => ({ name, description }));
  return {
    ...rest,
    tools: plain(tools),
    ...(prompts && { prompts: plain(prompts) }),
    ...(resources && { resources: plain(resources) }),
  };
}

/** A ready-made prompt: a person calls for it by name, as for a command in a file. */
export interface OfferedPrompt extends Listed {
  /** What goes behind the name: "<file> [level]". */
  argumentHint?: string;
  /** What to send for what was typed behind the name. Rejects with a sentence. */
  expand: (typed: string, signal: AbortSignal) => Promise<string>;
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
  /** Absent: it has none. */
  prompts?(): readonly OfferedPrompt[];
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
