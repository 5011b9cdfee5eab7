import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { GatePass } from "@/tools/gatePass.ts";

const SDK = fileURLToPath(new URL("../../src", import.meta.url));
const CODE = fileURLToPath(new URL("../../../code/src", import.meta.url));
const READER = fileURLToPath(new URL("../../../shell-reader/src", import.meta.url));

/** Data in, data out: no clock, no file, no process. */
const PURE = ["hooks", "permissions", "messages", "conversation/turn"];

/** From the bottom to the top: a file imports from its own row and from those above it in this list. */
const LAYERS: readonly (readonly string[])[] = [
  ["errors.ts", "utils"],
  PURE,
  ["events.ts"],
  ["ownTool.ts"],
  ["agentOptions.ts"],
  ["process", "workspace/files"],
  ["workspace/git"],
  ["workspace", "options", "hooks/kinds"],
  ["model"],
  ["tools"],
  ["session/file"],
  ["hooks/run"],
  ["session"],
  ["gate"],
  ["conversation"],
  ["agent.ts"],
  ["hookKit"],
  ["index.ts"],
];

/** Files whose path is fixed, or that put the parts of several folders together: the layer they belong to. */
const LAYER_OF_FILE = new Map([
  ["services/process.ts", "process"],
  ["services/aiService.ts", "model"],
  ["services/session.ts", "session/file"],
  ["services/hook.ts", "hooks/run"],
  ["managers/hookManager.ts", "session"],
  ["managers/messageManager.ts", "session"],
  ["managers/aiManager.ts", "conversation"],
  ["session/agentFacts.ts", "agent.ts"],
  ["session/agentSettings.ts", "agent.ts"],
  ["session/agentTurn.ts", "agent.ts"],
  ["session/beginSession.ts", "agent.ts"],
  ["session/sessionRun.ts", "agent.ts"],
]);

/** For programs of others: it knows the messages, and nothing of the agent. */
const TESTING = ["testing", "utils", "messages"];

/** The seeds fix where it lives; it turns messages into requests, so it has to know both. */
const EXCEPTIONS = new Map([["utils/convertMessagesForAPI.ts", ["messages"]]]);

/** What is left of Node when clock, disk and processes are taken away. */
const PURE_MODULES = ["node:path", "node:crypto", "node:util"];
const IMPURE_GLOBALS =
  /\b(process\.|Date\.now|new Date\(\)|performance\.|setTimeout|setInterval|setImmediate|Math\.random|randomUUID|randomBytes|fetch\(|console\.)/g;

/** A call, a bound call, a call by a computed name, and taking `run` out of an object to call it later. */
const RUN_CALLS =
  /[\w)\]]+[?!]?\s*\.run\s*(?:[?!]?\.?\(|\.(?:call|apply|bind)\b)|\[\s*["'`]run["'`]\s*\]|\{[^{}]*\brun\b[^{}]*\}\s*=\s/g;

const sdkFiles = sourceFiles(SDK);
const codeFiles = sourceFiles(CODE);
const readerFiles = sourceFiles(READER);
/** The one clock of the pure part, for regular expressions that somebody else wrote. */
const TIME_LIMIT = "utils/withinTime.ts";
/** A matcher that does not end in time matches, so its hook runs; a filter says so. Lines and rules are bounded by counts. */
const TIMED = ["hooks/matcher.ts", "index.ts", "tools/bashOutput.ts", "tools/ls.ts", "tools/ripgrep.ts"];
const pureFiles = sdkFiles.filter(
  ({ name }) => ["utils", ...PURE].includes(layerOf(name)) && name !== TIME_LIMIT,
);

describe("the layers of the SDK", () => {
  it("has files in every layer it names", () => {
    const named = [...LAYERS.flat(), "testing"].sort();
    expect([...new Set(sdkFiles.map((file) => layerOf(file.name)))].sort()).toEqual(named);
  });

  it.each(sdkFiles)("$name imports only from its own layer and the ones below", ({ name, code }) => {
    const own = layerOf(name);
    const below = LAYERS.slice(0, LAYERS.findIndex((row) => row.includes(own)) + 1).flat();
    const allowed = [...(own === "testing" ? TESTING : below), ...(EXCEPTIONS.get(name) ?? [])];
    expect(importedFiles({ name, code }).filter((path) => !allowed.includes(layerOf(path)))).toEqual([]);
  });

  it.each(pureFiles)("$name reads no clock, file, process or chance", ({ code }) => {
    const outside = importsOf(code).filter((path) => path.startsWith("node:"));
    expect(outside.filter((path) => !PURE_MODULES.includes(path))).toEqual([]);
    expect(code.match(IMPURE_GLOBALS) ?? []).toEqual([]);
  });
});

describe("reading command lines and rules", () => {
  it.each(readerFiles)("shell-reader/$name needs the parser and nothing else", ({ name, code }) => {
    const leaving = importedFiles({ name, code }).filter((path) => path.startsWith("../"));
    // Some table has a word "from" in it.
    const others = importsOf(code).filter((path) => /^[@\w][\w./:@-]*$/.test(path));
    expect([...leaving, ...others.filter((path) => !["unbash", "node:path"].includes(path))]).toEqual([]);
    expect(code.match(IMPURE_GLOBALS) ?? []).toEqual([]);
  });

  it("depends on no clock: only patterns of settings and filters of tools are bounded by time", () => {
    const timed = sdkFiles.filter(({ name, code }) =>
      importsOf(code).some((path) => posix.join(posix.dirname(name), path) === TIME_LIMIT),
    );
    expect(timed.map(({ name }) => name).sort()).toEqual(TIMED);
  });
});

describe("every source file", () => {
  const inPackage = (name: string, all: readonly SourceFile[]) =>
    all.map((file) => ({ ...file, name: `${name}/${file.name}` }));
  const files = [...sdkFiles, ...inPackage("code", codeFiles), ...inPackage("shell-reader", readerFiles)];

  it.each(files)("$name names what it exports, and is short", ({ code, lines }) => {
    expect(code.match(/^export \*/gm) ?? []).toEqual([]);
    expect(code.match(/^export default\b|\bas default\b/gm) ?? []).toEqual([]);
    expect(lines).toBeLessThanOrEqual(300);
  });

  it.each([
    ["agent-sdk", sdkFiles],
    ["code", codeFiles],
    ["shell-reader", readerFiles],
  ])("of %s imports no file that imports it in turn, however many are between", (_, all) => {
    expect(circleIn(new Map(all.map((file) => [file.name, importedFiles(file)])))).toEqual([]);
  });

  it.each(codeFiles)("code/$name reaches the SDK only through its package", ({ name, code }) => {
    const leaving = importsOf(code)
      .filter((path) => path.startsWith("."))
      .map((path) => posix.join(posix.dirname(name), path))
      .filter((path) => path.startsWith("../") && !path.endsWith(".json"));
    expect(leaving).toEqual([]);
    expect(importsOf(code).filter((path) => path.startsWith("wave-agent-sdk/src"))).toEqual([]);
  });
});

describe("the way to a tool", () => {
  it("has one place that issues passes, and everybody else only opens them (T16, G12)", () => {
    const holders = sdkFiles.filter(({ name, code }) => {
      const imported = importsOf(code).map((path) => posix.join(posix.dirname(name), path));
      return imported.includes("tools/gatePass.ts") && layerOf(name) !== "tools";
    });
    expect(holders.map(({ name }) => name)).toEqual(["gate/gate.ts"]);

    const uses = [...sdkFiles, ...codeFiles]
      .filter(({ name }) => name !== "tools/gatePass.ts")
      .flatMap(({ name, code }) =>
        [...withoutImports(code).matchAll(/\bGatePass\b(?!<)(\W*\w*\W?)/g)].map(
          ([, next]) => `${name} ${next}`,
        ),
      );
    expect(uses.filter((use) => !use.endsWith(" .open("))).toEqual(["gate/gate.ts .issue("]);
  });

  it("has one place that calls a tool's run (T16, G12)", () => {
    // The pure folders know no tool: what they call "run" is something else.
    const calls = sdkFiles
      .filter((file) => !pureFiles.includes(file))
      .flatMap(({ name, code }) => [...code.matchAll(RUN_CALLS)].map(([text]) => `${name}: ${text}`));
    expect(calls.sort()).toEqual([
      // The closure that the gate hands out after the decision, bound to the judged input.
      "conversation/toolManager.ts: entered.run(",
      "gate/gate.ts: tool.run(",
      // The function of a program, which only the tool around it calls.
      "ownTool.ts: definition.run(",
      // No tool: what runs one kind of hook.
      "services/hook.ts: action).run(",
    ]);
  });

  it("is closed to anything that only looks like a pass (T16, G12)", () => {
    const lookalike: GatePass<object> = Object.create(GatePass.prototype);
    expect(() => GatePass.open(lookalike)).toThrow(TypeError);
  });
});

interface SourceFile {
  name: string;
  /** Without comments that stand on lines of their own. */
  code: string;
  lines: number;
}

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, "utf8");
      const code = text.replace(/^\s*\/\*[\s\S]*?\*\//gm, "").replace(/^\s*\/\/.*$/gm, "");
      return { name: relative(folder, path).split(sep).join("/"), code, lines: text.split("\n").length - 1 };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The longest folder that is a layer. */
function layerOf(name: string): string {
  const fixed = LAYER_OF_FILE.get(name);
  if (fixed !== undefined) return fixed;
  const [top = "", second = ""] = name.split("/");
  const inner = `${top}/${second}`;
  return LAYERS.flat().includes(inner) ? inner : top;
}

const importedFiles = ({ name, code }: Pick<SourceFile, "name" | "code">): string[] =>
  importsOf(code)
    .filter((path) => path.startsWith("."))
    .map((path) => posix.join(posix.dirname(name), path));

/** Static, dynamic, side-effect and re-export forms alike. */
function importsOf(code: string): string[] {
  return [...code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'`]([^"'`]+)["'`]/g)].map(
    ([, path]) => path ?? "",
  );
}

function withoutImports(code: string): string {
  return code.replace(/^(import|export)\b[^;]*\bfrom\s*"[^"]*";/gm, "");
}

/** The first circle that is met on a walk over all imports, types included. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const walk = (name: string, way: readonly string[]): string[] => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name)) return [];
    for (const next of imports.get(name) ?? []) {
      const circle = walk(next, [...way, name]);
      if (circle.length > 0) return circle;
    }
    done.add(name);
    return [];
  };
  for (const name of imports.keys()) {
    const circle = walk(name, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
