import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ON_ERROR } from "@/hooks/failurePolicy.ts";
import {
  decisionTable,
  HOOK_WORDS,
  OPINIONS,
  type Answering,
  type DecisionRow,
  type HookWord,
} from "@/permissions/decisionTable.ts";
import type { PermissionMode } from "@/permissions/modes.ts";
import { playSession } from "../support/playSession.ts";
import { memoryFolder } from "../support/tempFolder.ts";

/** Each call writes a file that is called after its row. */
const KINDS = {
  run: (name: string) => ({ name: "Bash", arguments: { command: `mkfifo ${name}` } }),
  "edit-inside": (name: string) => ({ name: "Write", arguments: { file_path: name, content: "old" } }),
} as const;
/** Edits are decided like commands, but for one mode. */
const isPlayed = ({ mode, doing }: DecisionRow) =>
  doing === "run" || (doing === "edit-inside" && mode === "acceptEdits");

/** Found again in the input by the hook: "run-5-2" is the call that hook word 5 and rule word 2 speak about. */
const nameOf = ({ doing, hook, rule }: Pick<DecisionRow, "doing" | "hook" | "rule">) =>
  `${doing}-${HOOK_WORDS.indexOf(hook)}-${OPINIONS.indexOf(rule)}`;

const says = (fields: object) =>
  `printf '%s' '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } })}'`;

/** What a hook does that has this word for a call. In the second look at another input it has nothing more to say. */
const ACTS: Record<HookWord, string> = {
  none: ":",
  allow: says({ permissionDecision: "allow" }),
  ask: says({ permissionDecision: "ask" }),
  deny: "exit 2",
  rewrite: `case $in in
    *'"pass":2'*) ;;
    *Bash*) ${says({ updatedInput: { command: "mkfifo NAME NAME.new" } }).replaceAll("NAME", `'"$name"'`)};;
    *) ${says({ updatedInput: { file_path: "NAME", content: "new" } }).replaceAll("NAME", `'"$name"'`)};;
  esac`,
  "failed, continue": "exit 1",
  "failed, ask": "exit 1",
  "failed, block": "exit 1",
};

/** One hook for some words, silent about the calls of others. Nothing but the one shell is started. */
function hookFor(words: readonly HookWord[], onError?: string): object {
  const acts = words.map((word) => `${HOOK_WORDS.indexOf(word)}) ${ACTS[word]};;`);
  return {
    type: "command",
    name: words.join("|"),
    command: `read -r in; [[ $in =~ (run|edit-inside)-([0-9])-[0-9] ]]; name=\${BASH_REMATCH[0]}
case \${BASH_REMATCH[2]} in ${acts.join("\n")} esac`,
    ...(onError === undefined ? {} : { onError }),
  };
}
const HOOKS = [
  hookFor(["allow", "ask", "deny", "rewrite"]),
  ...ON_ERROR.map((word) => hookFor([`failed, ${word}`], word)),
];

const rulesFor = (opinion: string) =>
  HOOK_WORDS.flatMap((_, hook) => {
    const rule = OPINIONS.findIndex((one) => one === opinion);
    return [`Bash(mkfifo run-${hook}-${rule}:*)`, `Edit(./edit-inside-${hook}-${rule})`];
  });

/** What became of each row's call, by the name of its file. */
async function play(folder: string, mode: PermissionMode, answering: Answering, rows: DecisionRow[]) {
  const asked = new Set<string>();
  const played = await playSession(folder, {
    settings: {
      hooks: { PreToolUse: [{ hooks: HOOKS }] },
      permissions: { allow: rulesFor("allow"), ask: rulesFor("ask"), deny: rulesFor("deny") },
    },
    scenario: [{ calls: rows.map((row) => KINDS[row.doing as "run"](nameOf(row))) }, { say: "done" }],
    options: {
      permissionMode: mode,
      ...(answering === "nobody"
        ? {}
        : {
            onPermissionRequest: ({ toolUseId = "", failedHooks = [] }) => {
              asked.add(toolUseId);
              return { decision: "allow", without: failedHooks.map(({ id }) => id) };
            },
          }),
    },
  });
  const decided = played.events.flatMap((event) =>
    event.type === "hooks_decided" && event.record.event === "PreToolUse" ? [event.record] : [],
  );
  return rows.map((row, index) => {
    const { toolUseId = "", decision } = decided[index] ?? {};
    const ran = existsSync(join(folder, "project", nameOf(row)));
    if (ran !== (decision === "allow")) return `${nameOf(row)} was ${decision}, and ran: ${ran}`;
    return asked.has(toolUseId) ? "ask" : ran ? "allow" : "deny";
  });
}

describe("the decision table", () => {
  const table = decisionTable();

  // All modes and effects: gateTable.test.ts. Here it is shown that hooks in processes and rules in files get there.
  it.each([
    ["default", "somebody"],
    ["acceptEdits", "nobody"],
  ] as const)(
    "holds in mode %s where %s can answer: every word of a hook against every word of a rule, with real hooks (T20, T25, T26, T28, T35, G1, G3, G4, G5, PD-3)",
    async (mode, answering) => {
      using folder = memoryFolder();
      const rows = table.filter((row) => row.mode === mode && row.answering === answering && isPlayed(row));
      const seen = await play(folder.path, mode, answering, rows);
      const lines = (decisions: readonly string[]) =>
        rows.map(
          ({ doing, hook, rule }, index) => `${doing} · hook ${hook} · rule ${rule}: ${decisions[index]}`,
        );
      expect(lines(seen)).toEqual(lines(rows.map(({ decision }) => decision)));
    },
  );
});
