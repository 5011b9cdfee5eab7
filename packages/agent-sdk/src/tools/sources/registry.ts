import type { Tool } from "../tool.ts";
import type { OfferedPrompt, SourceHost, SourceStatus, ToolSource } from "./toolSource.ts";

/** What the gate needs of all tools: a Map will do. */
export type ToolLookup = Pick<ReadonlyMap<string, Tool>, "get" | "keys" | "values">;

/** All tools of a session, from all sources. */
export class ToolRegistry implements ToolLookup {
  readonly #sources: readonly ToolSource[];
  readonly #uses: (name: string) => boolean;
  readonly #onTaken: (name: string, source: string) => void;
  #tools: ReadonlyMap<string, Tool>;
  #opened: Promise<unknown> = Promise.resolve();

  constructor(
    sources: readonly ToolSource[],
    options: {
      /** The names of tools and MCP servers (`mcp__server`) that count. Absent: all. */
      use?: readonly string[] | undefined;
      /** A second tool of one name is never called. */
      onTaken?: (name: string, source: string) => void;
    } = {},
  ) {
    this.#sources = sources;
    this.#uses = usesOnly(options.use);
    this.#onTaken = options.onTaken ?? (() => {});
    this.#tools = this.#gather();
    for (const source of sources) source.changed(() => (this.#tools = this.#gather()));
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  keys(): MapIterator<string> {
    return this.#tools.keys();
  }

  values(): MapIterator<Tool> {
    return this.#tools.values();
  }

  /** Starts the sources. `opened` resolves when none of them has to be waited for any longer. */
  open(host: SourceHost): void {
    this.#opened = Promise.all(this.#sources.map((source) => source.open(host)));
  }

  get opened(): Promise<unknown> {
    return this.#opened;
  }

  status(): SourceStatus[] {
    return this.#sources.flatMap((source) => source.status());
  }

  /** Ready-made prompts of all sources. */
  prompts(): OfferedPrompt[] {
    return this.#sources.flatMap((source) => source.prompts?.() ?? []).filter(({ name }) => this.#uses(name));
  }

  async close(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.close()));
    this.#tools = new Map();
  }

  /** The first source that has a name keeps it: what a server calls its tools must not replace one of Wave's. */
  #gather(): ReadonlyMap<string, Tool> {
    const tools = new Map<string, Tool>();
    for (const source of this.#sources) {
      for (const tool of source.list()) {
        if (!this.#uses(tool.name)) continue;
        if (tools.has(tool.name)) this.#onTaken(tool.name, source.name);
        else tools.set(tool.name, tool);
      }
    }
    return tools;
  }
}

/** `mcp__github` stands for every tool of that server. */
function usesOnly(use: readonly string[] | undefined): (name: string) => boolean {
  if (use === undefined) return () => true;
  const names = new Set(use);
  return (name) => names.has(name) || names.has(/^mcp__.+?(?=__)/.exec(name)?.[0] ?? "");
}
