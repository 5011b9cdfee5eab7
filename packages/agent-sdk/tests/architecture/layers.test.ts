import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { GatePass } from "@/tools/gatePass.ts";

const SDK = fileURLToPath(new URL("../../src", import.meta.url));
const CODE = fileURLToPath(new URL("../../../code/src", import.meta.url));

/** What each folder (or file) directly under src may import from. A folder that is not listed here fails. */
const PURE = ["hooks", "permissions", "turn", "messages"];
const BELOW_SERVICES = ["errors.ts", "utils", ...PURE];
const BELOW_MANAGERS = [...BELOW_SERVICES, "model", "services", "tools", "events.ts", "agentOptions.ts"];
const MAY_IMPORT = new Map<string, readonly string[]>([
  ["errors.ts", []],
  ["utils", []],
  ...PURE.map((folder): [string, string[]] => [folder, BELOW_SERVICES]),
  ["events.ts", BELOW_SERVICES],
  ["agentOptions.ts", [...BELOW_SERVICES, "events.ts"]],
  ["model", BELOW_SERVICES],
  ["services", BELOW_SERVICES],
  ["tools", [...BELOW_SERVICES, "services"]],
  ["managers", BELOW_MANAGERS],
  ["agent.ts", [...BELOW_MANAGERS, "managers"]],
  ["index.ts", [...BELOW_MANAGERS, "managers", "agent.ts"]],
  ["testing", ["utils", "messages"]],
]);

/** The seeds fix where two of them live: one turns messages into requests, the other is the way to the model. */
const EXCEPTIONS = new Map([
  ["utils/convertMessagesForAPI.ts", ["messages"]],
  ["services/aiService.ts", ["model"]],
  // What the system prompt says of the project's repository: git is asked.
  ["model/surroundings.ts", ["services"]],
]);

/** What is left of Node when clock, disk and processes are taken away. */
const PURE_MODULES = ["node:path", "node:crypto", "node:util"];
const IMPURE_GLOBALS =
  /\b(process\.|Date\.now|new Date\(\)|performance\.|setTimeout|setInterval|setImmediate|Math\.random|randomUUID|randomBytes|fetch\(|console\.)/g;

/** A call, a bound call, a call by a computed name, and taking `run` out of an object to call it later. */
const RUN_CALLS =
  /[\w)\]]+[?!]?\s*\.run\s*(?:[?!]?\.?\(|\.(?:call|apply|bind)\b)|\[\s*["'`]run["'`]\s*\]|\{[^{}]*\brun\b[^{}]*\}\s*=\s/g;

const sdkFiles = sourceFiles(SDK);
const codeFiles = sourceFiles(CODE);
/** The one clock of the pure part: no line or pattern may hold it up. What does not end in time counts as not understood. */
const TIME_LIMIT = "utils/withinTime.ts";
const pureFiles = sdkFiles.filter(
  ({ name }) => ["utils", ...PURE].includes(layerOf(name)) && name !== TIME_LIMIT,
);

describe("the layers of the SDK", () => {
  it("has files in every layer it names", () => {
    expect([...new Set(sdkFiles.map((file) => layerOf(file.name)))].sort()).toEqual(
      [...MAY_IMPORT.keys()].sort(),
    );
  });

  it.each(sdkFiles)("$name imports only from its own layer and the ones below", ({ name, code }) => {
    const allowed = [
      layerOf(name),
      ...(MAY_IMPORT.get(layerOf(name)) ?? []),
      ...(EXCEPTIONS.get(name) ?? []),
    ];
    const wrong = importsOf(code)
      .filter((path) => path.startsWith("."))
      .map((path) => posix.join(posix.dirname(name), path))
      .filter((path) => !allowed.includes(layerOf(path)));
    expect(wrong).toEqual([]);
  });

  it.each(pureFiles)("$name reads no clock, file, process or chance", ({ code }) => {
    const outside = importsOf(code).filter((path) => path.startsWith("node:"));
    expect(outside.filter((path) => !PURE_MODULES.includes(path))).toEqual([]);
    expect(code.match(IMPURE_GLOBALS) ?? []).toEqual([]);
  });
});

describe("every source file", () => {
  const files = [...sdkFiles, ...codeFiles.map((file) => ({ ...file, name: `code/${file.name}` }))];

  it.each(files)("$name names what it exports, and is short", ({ name, code, lines }) => {
    expect(code.match(/^export \*/gm) ?? []).toEqual([]);
    expect(code.match(/^export default\b|\bas default\b/gm) ?? []).toEqual([]);
    expect(lines).toBeLessThanOrEqual(name.startsWith("code/") ? 300 : 400);
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
    expect(holders.map(({ name }) => name)).toEqual(["managers/gate.ts"]);

    const uses = [...sdkFiles, ...codeFiles]
      .filter(({ name }) => name !== "tools/gatePass.ts")
      .flatMap(({ name, code }) =>
        [...withoutImports(code).matchAll(/\bGatePass\b(?!<)(\W*\w*\W?)/g)].map(
          ([, next]) => `${name} ${next}`,
        ),
      );
    expect(uses.filter((use) => !use.endsWith(" .open("))).toEqual(["managers/gate.ts .issue("]);
  });

  it("has one place that calls a tool's run (T16, G12)", () => {
    // The pure folders know no tool: what they call "run" is something else.
    const calls = sdkFiles
      .filter((file) => !pureFiles.includes(file))
      .flatMap(({ name, code }) => [...code.matchAll(RUN_CALLS)].map(([text]) => `${name}: ${text}`));
    expect(calls.sort()).toEqual([
      "managers/gate.ts: tool.run(",
      // The closure that the gate hands out after the decision, bound to the judged input.
      "managers/toolManager.ts: entered.run(",
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

function layerOf(name: string): string {
  return name.split("/")[0] ?? "";
}

/** Static, dynamic, side-effect and re-export forms alike. */
function importsOf(code: string): string[] {
  return [...code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'`]([^"'`]+)["'`]/g)].map(
    ([, path]) => path ?? "",
  );
}

function withoutImports(code: string): string {
  return code.replace(/^(import|export)\b[^;]*\bfrom\s*"[^"]*";/gm, "");
}
