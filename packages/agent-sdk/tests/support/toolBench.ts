import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bounds } from "../../src/permissions/decide.ts";
import type { HiddenPlace } from "../../src/permissions/readOnlyPlan.ts";
import type { SearchFilter } from "../../src/permissions/searchFilter.ts";
import type { FileJournal } from "../../src/tools/fileJournal.ts";
import { FileMemory } from "../../src/tools/fileMemory.ts";
import { GatePass } from "../../src/tools/gatePass.ts";
import { builtInTools } from "../../src/tools/index.ts";
import { ShellRegistry } from "../../src/tools/shells.ts";
import type { ToolOutcome, ToolSession } from "../../src/tools/tool.ts";
import { processesWith } from "./processes.ts";
import { tempFolder } from "./tempFolder.ts";

/** Keeps nothing: a tool by itself has no session that could go back. */
export const noJournal: FileJournal = { willChange: async () => {}, changedByHooks: async () => {} };

/** A temporary project, a session in it, and its tools, without hooks and permissions before them. */
export interface ToolBench extends AsyncDisposable {
  readonly dir: string;
  readonly session: ToolSession;
  /** Everything commands printed while they ran. */
  readonly printed: string[];
  /** What the gate would say about how a command runs, and what it must not see. */
  bounds: Bounds;
  hidden: HiddenPlace[];
  /** What the gate would say about files that a search comes across. */
  searchFilter: SearchFilter | undefined;
  /** Where the gate would have seen the files of an input lead. */
  judgedFiles: readonly string[] | undefined;
  call(tool: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<ToolOutcome>;
  /** Living processes that tools of this bench started. */
  processes(): number[];
  path(name: string): string;
  put(name: string, content: string | Buffer): string;
  content(name: string): string;
}

export function toolBench(name?: string): ToolBench {
  const folder = tempFolder(name);
  const mark = `wave-bench-${randomUUID()}`;
  const printed: string[] = [];
  const session: ToolSession = {
    projectDir: folder.path,
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: folder.path, WAVE_TEST_MARK: mark },
    files: new FileMemory(),
    journal: noJournal,
    shells: new ShellRegistry(),
    todos: [],
  };
  const path = (file: string) => join(folder.path, file);
  return {
    dir: folder.path,
    session,
    printed,
    bounds: "none",
    hidden: [],
    searchFilter: undefined,
    judgedFiles: undefined,
    path,
    async call(name, input, signal = new AbortController().signal) {
      const tool = builtInTools().find((candidate) => candidate.name === name);
      if (!tool) throw new Error(`there is no tool ${name}`);
      const pass = GatePass.issue(tool.input.parse(input), "call_1");
      const onOutput = (text: string) => void printed.push(text);
      const judged = this.judgedFiles === undefined ? {} : { judgedFiles: this.judgedFiles };
      return tool.run(pass, {
        session,
        signal,
        onOutput,
        bounds: this.bounds,
        hidden: () => this.hidden,
        searchFilter: this.searchFilter,
        ...judged,
      });
    },
    processes: () => processesWith(mark),
    put(file, content) {
      writeFileSync(path(file), content);
      return path(file);
    },
    content: (file) => readFileSync(path(file), "utf8"),
    async [Symbol.asyncDispose]() {
      await session.shells.dispose();
      folder[Symbol.dispose]();
    },
  };
}
