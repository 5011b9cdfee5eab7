import { ON_ERRORS, type Act, type PlannedCall, type Surroundings } from "./callsModel.ts";

/** The six hooks of every agent: two for each word of `onError`. A hook runs for the calls whose file names it. */
export const HOOKS = ["a", "b", "c", "d", "e", "f"] as const;
export type HookLetter = (typeof HOOKS)[number];
export const onErrorOf = (letter: HookLetter) =>
  ON_ERRORS[Math.floor(HOOKS.indexOf(letter) / 2)] ?? "continue";

const specific = (fields: object) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
const decision = (word: string) => specific({ permissionDecision: word, permissionDecisionReason: word });
const print = (text: string) => `printf '%s' '${text}'`;

/** What each act is for a shell. `$rest` is the content that the hook saw. */
const SHELL: Record<Act, string> = {
  silent: "exit 0",
  talks: "echo just words; echo and more >&2; exit 0",
  allows: print(decision("allow")),
  approves: print(JSON.stringify({ decision: "approve", reason: "fine" })),
  asks: print(decision("ask")),
  denies: print(decision("deny")),
  blocks: print(JSON.stringify({ decision: "block", reason: "no" })),
  exit2: "echo no >&2; exit 2",
  exit2silent: "exit 2",
  exit2allows: `${print(decision("allow"))}; exit 2`,
  deniesAndFails: `${print(decision("deny"))}; exit 1`,
  exit1: "exit 1",
  exit127: "exit 127",
  killed: "kill -KILL $$",
  broken: `printf '{"decision": "block"'`,
  unknown: print(decision("perhaps")),
  misspelt: print(specific({ permissionDecison: "deny" })),
  inAList: print(JSON.stringify([{ decision: "block" }])),
  isNull: print(specific({ permissionDecision: null })),
  misnamedAllow: print(JSON.stringify({ hookSpecificOutput: { permissionDecision: "allow" } })),
  deniesAndAllows: print('{"decision": "block", "reason": "no", "decision": "approve"}'),
  rewrites: `printf '%s' '${specific({ updatedInput: { file_path: "FILE", content: "REST+LETTER" } })}'`
    .replace("FILE", `'"$file"'`)
    .replace("REST", `'"$rest"'`)
    .replace("LETTER", `'"$me"'`),
  rewritesAndAllows:
    `printf '%s' '${specific({ permissionDecision: "allow", permissionDecisionReason: "so it may", updatedInput: { file_path: "FILE", content: "REST+LETTER" } })}'`
      .replace("FILE", `'"$file"'`)
      .replace("REST", `'"$rest"'`)
      .replace("LETTER", `'"$me"'`),
};

/** One shell and nothing else: it finds in its input what it is to do, in the first look and in the second. */
function command(letter: HookLetter): string {
  const acts = Object.entries(SHELL).map(([act, text]) => `${act}) ${text};;`);
  return `me=${letter}; read -r in
[[ $in =~ \\"content\\":\\"([^\\"]*)\\" ]]; rest=\${BASH_REMATCH[1]}
[[ $in =~ \\"file_path\\":\\"([^\\"]*)\\" ]]; file=\${BASH_REMATCH[1]}
[[ $in == *'"pass":2'* ]] && look=2 || look=1
[[ $rest =~ $me$look=([a-zA-Z0-9]+) ]] || exit 0
case \${BASH_REMATCH[1]} in
${acts.join("\n")}
esac`;
}

export const settings = {
  hooks: {
    PreToolUse: HOOKS.map((letter) => ({
      matcher: "Write",
      hooks: [
        {
          type: "command",
          name: letter,
          command: command(letter),
          if: `Write(./*-*${letter}*.txt)`,
          onError: onErrorOf(letter),
        },
      ],
    })),
  },
  permissions: {
    allow: ["Edit(./allow*)", "Edit(./both*)", "Edit(./clash*)"],
    ask: ["Edit(./ask*)", "Edit(./both*)", "Edit(./hard*)"],
    deny: ["Edit(./deny*)", "Edit(./clash*)", "Edit(./hard*)"],
  },
};

export const fileOf = ({ rule, acts }: PlannedCall, index: number): string =>
  `${rule}${index}-${acts.map(([letter]) => letter).join("")}.txt`;

/** What the hooks find in the input: "a1=denies,a2=silent". */
export const contentOf = ({ acts }: PlannedCall): string =>
  acts.map(([letter, first, second]) => `${letter}1=${first},${letter}2=${second}`).join(",");

export type { Surroundings };
