import { statSync } from "node:fs";
import { relative } from "node:path";
import { z } from "zod";
import { GatePass } from "./gatePass.ts";
import { refusal } from "./outcome.ts";
import { absolutePath, explainMissing, isFolder } from "./paths.ts";
import { ripgrep, type SearchEnd } from "./ripgrep.ts";
import { defineTool, type ToolCallContext, type ToolOutcome, type ToolSession } from "./tool.ts";

const description =
  "Searches file contents with ripgrep, without what .gitignore leaves out. Gives file names by default; output_mode content gives lines, count numbers.";

const lines = z.int().min(0).optional();
const input = z.strictObject({
  pattern: z.string().min(1).describe("Regular expression"),
  path: z.string().min(1).optional().describe("File or folder; default: the working folder"),
  glob: z.string().min(1).optional().describe("Only these files: *.{ts,tsx}"),
  type: z.string().min(1).optional().describe("Only this type: js, py, rust"),
  output_mode: z.enum(["content", "files_with_matches", "count"]).optional(),
  "-i": z.boolean().optional().describe("Ignore case"),
  "-n": z.boolean().optional().describe("Line numbers; default true"),
  "-A": lines.describe("Lines after"),
  "-B": lines.describe("Lines before"),
  "-C": lines.describe("Lines around"),
  multiline: z.boolean().optional().describe("Match across lines"),
  head_limit: z.int().min(1).optional().describe("Entries to show; default 200"),
});
type GrepInput = z.infer<typeof input>;

const DEFAULT_LIMIT = 200;
const LINE_LENGTH = 500;
const MAX_CHARACTERS = 30_000;

export const grepTool = defineTool<GrepInput>({
  name: "Grep",
  description,
  input,
  parallel: true,
  pathFields: ["path"],
  effect: (asked, session) => ({ does: "read", paths: [rootOf(asked, session)] }),
  run: async (pass, context) => search(GatePass.open(pass), context),
});

function rootOf(asked: GrepInput, session: ToolSession): string {
  return asked.path === undefined ? session.cwd : absolutePath(asked.path, session);
}

async function search(asked: GrepInput, { session, signal }: ToolCallContext): Promise<ToolOutcome> {
  const root = rootOf(asked, session);
  if (!statSync(root, { throwIfNoEntry: false })) return refusal(explainMissing(root));
  const cwd = isFolder(session.cwd) ? session.cwd : session.projectDir;
  const mode = asked.output_mode ?? "files_with_matches";
  const limit = asked.head_limit ?? DEFAULT_LIMIT;
  const shown: string[] = [];
  let total = 0;
  let characters = 0;
  const end = await ripgrep({
    args: [...flags(asked, mode), "--", nameFrom(cwd, root)],
    cwd,
    env: session.env,
    signal,
    separator: "\n",
    onEntry(line) {
      total++;
      if (shown.length >= limit || characters > MAX_CHARACTERS) return;
      const entry = line.replace(/^\.\//, "").replace(/\r$/, "");
      shown.push(entry);
      characters += entry.length + 1;
    },
  });
  if (end.end === "failed") return refusal(end.why);
  const text = shown.length === 0 ? `No matches for ${asked.pattern} in ${root}.` : shown.join("\n");
  return {
    success: true,
    result: [text, ...notesOn(end, shown.length, total)].join("\n"),
    response: responseOf(mode, shown, total),
  };
}

function flags(asked: GrepInput, mode: NonNullable<GrepInput["output_mode"]>): string[] {
  const lineLength = [`--max-columns=${LINE_LENGTH}`, "--max-columns-preview"];
  const around = (["-A", "-B", "-C"] as const).flatMap((flag) =>
    asked[flag] === undefined ? [] : [`${flag}${asked[flag]}`],
  );
  const byMode = {
    files_with_matches: ["--files-with-matches", "--sortr=modified"],
    count: ["--count", "--with-filename", "--sort=path"],
    content: [
      "--no-heading",
      "--with-filename",
      // Without an order, two searches for the same thing would answer differently.
      "--sort=path",
      asked["-n"] === false ? "--no-line-number" : "--line-number",
      ...lineLength,
      ...around,
    ],
  };
  return [
    "--hidden",
    "--no-require-git",
    "--glob=!.git",
    // Look-around and back-references need the other engine; it is taken only for patterns that use them.
    "--engine=auto",
    ...byMode[mode],
    ...(asked["-i"] ? ["--ignore-case"] : []),
    ...(asked.multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...(asked.type === undefined ? [] : [`--type=${asked.type}`]),
    ...(asked.glob === undefined || isEverything(asked.glob) ? [] : [`--glob=${asked.glob}`]),
    `--regexp=${asked.pattern}`,
  ];
}

/** To ripgrep these would mean "also what .gitignore leaves out". */
function isEverything(glob: string): boolean {
  return /^(\*\*\/)?\*{1,2}$/.test(glob);
}

/** Short names cost the model less, and are good for Read as they are. */
function nameFrom(cwd: string, root: string): string {
  const name = relative(cwd, root);
  if (name === "") return ".";
  return name === ".." || name.startsWith("../") ? root : name;
}

function notesOn(end: SearchEnd, shown: number, total: number): string[] {
  const notes: string[] = [];
  if (shown < total)
    notes.push(`[The first ${shown} of ${total}. Narrow the search or set head_limit to see others.]`);
  if (end.end === "incomplete") notes.push(`[Incomplete: ${end.why}]`);
  return notes;
}

function responseOf(mode: string, shown: string[], total: number): Record<string, unknown> {
  const truncated = shown.length < total;
  if (mode === "files_with_matches") return { mode, filenames: shown, numFiles: total, truncated };
  return { mode, content: shown.join("\n"), numLines: total, truncated };
}
