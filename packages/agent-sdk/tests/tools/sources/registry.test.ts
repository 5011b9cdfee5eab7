import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ToolRegistry } from "@/tools/sources/registry.ts";
import { builtInSource } from "@/tools/sources/builtIn.ts";
import { ownToolSource } from "@/tools/sources/ownTools.ts";
import type { ToolSource } from "@/tools/sources/toolSource.ts";
import { defineTool, type Tool } from "@/tools/tool.ts";
import { tool } from "@/options/tool.ts";

const toolNamed = (name: string): Tool =>
  defineTool<Record<string, unknown>>({
    name,
    description: name,
    input: z.record(z.string(), z.unknown()),
    parallel: false,
    pathFields: [],
    effect: () => ({ does: "unknown", touches: [] }),
    run: async () => ({ success: true, result: "", response: {} }),
  });

/** The smallest source whose tools come and go. */
class Shelf implements ToolSource {
  readonly name = "shelf";
  #tools: Tool[] = [];
  readonly #listeners: (() => void)[] = [];

  list = () => this.#tools;
  open = async () => {};
  status = () => [];
  changed = (listener: () => void) => void this.#listeners.push(listener);
  close = async () => this.put();

  put(...names: string[]): void {
    this.#tools = names.map(toolNamed);
    for (const listener of this.#listeners) listener();
  }
}

const namesIn = (registry: ToolRegistry) => [...registry.keys()];

describe("a source of tools", () => {
  it("owes each of its parts: the compiler names the one that is missing", () => {
    const { name, list, open, status, changed, close } = new Shelf();
    // @ts-expect-error list
    const noList: ToolSource = { name, open, status, changed, close };
    // @ts-expect-error open
    const noOpen: ToolSource = { name, list, status, changed, close };
    // @ts-expect-error changed
    const noChanged: ToolSource = { name, list, open, status, close };
    // @ts-expect-error close
    const noClose: ToolSource = { name, list, open, status, changed };
    // @ts-expect-error status
    const noStatus: ToolSource = { name, list, open, changed, close };
    expect([noList, noOpen, noChanged, noClose, noStatus]).toHaveLength(5);
  });

  it("brings and takes away tools while the session runs; built-in ones stay first", () => {
    const shelf = new Shelf();
    const registry = new ToolRegistry([builtInSource(), shelf]);
    const before = namesIn(registry);
    shelf.put("mcp__a__one", "mcp__a__two");
    expect(namesIn(registry)).toEqual([...before, "mcp__a__one", "mcp__a__two"]);
    expect(registry.get("mcp__a__two")?.name).toBe("mcp__a__two");
    shelf.put("mcp__a__two");
    expect(namesIn(registry)).toEqual([...before, "mcp__a__two"]);
  });

  it("cannot put a tool of its own in the place of one that is there", () => {
    const shelf = new Shelf();
    const taken: string[] = [];
    const registry = new ToolRegistry([builtInSource(), shelf], {
      onTaken: (name, source) => taken.push(`${name} of ${source}`),
    });
    const bash = registry.get("Bash");
    shelf.put("Bash");
    expect(registry.get("Bash")).toBe(bash);
    expect(taken).toEqual(["Bash of shelf"]);
  });

  it("counts only as far as its tools or its server are used", () => {
    const shelf = new Shelf();
    const registry = new ToolRegistry([builtInSource(), shelf], { use: ["Read", "mcp__a", "mcp__b__two"] });
    shelf.put("mcp__a__one", "mcp__ab__one", "mcp__b__one", "mcp__b__two", "Bash");
    expect(namesIn(registry)).toEqual(["Read", "mcp__a__one", "mcp__b__two"]);
  });

  it("is waited for at the start and closed at the end, every one", async () => {
    const done: string[] = [];
    const slow = new Shelf();
    slow.open = async () => void done.push("opened");
    slow.close = async () => void done.push("closed");
    const own = ownToolSource([
      tool({ name: "Mine", description: "x", input: z.object({}), run: () => "x" }),
    ]);
    const registry = new ToolRegistry([own, slow]);
    expect(namesIn(registry)).toEqual(["Mine"]);
    registry.open({ session: { projectDir: "/", env: {} }, say: () => {} });
    await registry.opened;
    await registry.close();
    expect(done).toEqual(["opened", "closed"]);
    expect(namesIn(registry)).toEqual([]);
    expect(own.list()).toEqual([]);
  });
});
