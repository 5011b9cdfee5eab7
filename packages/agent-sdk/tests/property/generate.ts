import fc from "fast-check";
import { isObject, type Event, type Hook, type Input, type Says } from "./reference.ts";
import {
  calmArb,
  either,
  isMark,
  present,
  relabelled,
  rewriterArb,
  seenAgain,
  weighted,
  withObjects,
  wildArb,
} from "./generateOutput.ts";
import { KINDS, type Defaults, type OnError, type Setting } from "./referencePolicy.ts";
import { rewritten, type Call, type Gate, type Turn } from "./referenceTurn.ts";

/** Where hooks can be declared, in the order in which they add up. */
export const SOURCES = ["user", "project", "local", "sdk"] as const;
export type Source = (typeof SOURCES)[number];
export const EVENTS: Event[] = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];

/** A hook as the reference sees it, and what it takes to write it down as a real one. */
export interface PlannedHook extends Hook {
  stubborn: boolean;
  matcher: string | undefined;
  delayMs: number;
  style: { bom: boolean; crlf: boolean; pretty: boolean };
}
export interface Scenario extends Turn {
  hooks: Record<Event, PlannedHook[]>;
}

/** Stands for the project's folder, which is known only when a scenario is played. */
export const PROJECT = "@@";

const CALLS: Call[] = [
  { tool: "Write", input: { file_path: `${PROJECT}/one.txt`, content: "one" } },
  { tool: "Bash", input: { command: `printf %s 'one' >'${PROJECT}/one.txt'`, description: "writes a file" } },
];
/** What a rewrite may do to each input: fields to set, `undefined` to remove one. The names mean the same trouble for both tools. */
const EDITS: Record<Call["tool"], Record<string, Input>> = {
  Write: {
    own: { content: "[§.content]" },
    common: { content: "same words" },
    other: { file_path: `${PROJECT}/two.txt` },
    wrongType: { content: 5 },
    without: { content: undefined },
    nothing: {},
  },
  Bash: {
    own: { command: `printf %s '[§.content]' >'${PROJECT}/two.txt'` },
    common: { command: `printf %s 'same words' >'${PROJECT}/two.txt'` },
    other: { timeout: 9000 },
    wrongType: { timeout: "soon" },
    without: { description: undefined },
    nothing: {},
  },
};
const MATCHERS: Record<Call["tool"], { yes: (string | undefined)[]; no: string[]; noTool: string[] }> = {
  Write: {
    yes: [
      undefined,
      "",
      "*",
      "Write",
      "Read|Write",
      "Edit, Write",
      "Wr*",
      "W?ite",
      "^Wri",
      "write",
      "(Write|Bash)$",
      ".+",
      "r.te",
    ],
    no: ["Read", "Edit|Read", "Bash", "Ed*", "mcp__.*"],
    noTool: ["?rit", "^rite$", "Writ", "Write.x"],
  },
  Bash: {
    yes: [
      undefined,
      "",
      "*",
      "Bash",
      "Edit|Bash",
      "Edit, Bash",
      "Ba*",
      "B?sh",
      "^Ba",
      "BASH",
      "(Write|Bash)$",
      ".+",
      "a.h",
    ],
    no: ["Read", "Edit|Read", "Write", "Wr*", "mcp__.*"],
    noTool: ["?as", "^ash$", "BashOutpu", "Bash.x"],
  },
};

type Draft = Omit<PlannedHook, "name" | "matches" | "entries"> & {
  source: Source;
  onError: Setting | undefined;
  /** The same entry once more, in a later file. */
  repeated: { source: Source; onError: Setting | undefined } | undefined;
  matcherDraw: number;
  matcherFits: boolean;
};

function draftArb(event: Event): fc.Arbitrary<Draft> {
  const temper: [number, fc.Arbitrary<Says>][] = [
    [event === "UserPromptSubmit" ? 5 : 2, calmArb(event)],
    [1, wildArb(event)],
    ...(event === "PreToolUse" ? [[2, rewriterArb] satisfies [number, fc.Arbitrary<Says>]] : []),
  ];
  const says = either(...temper);
  return fc
    .record({
      says,
      again: either<Says | undefined>(
        [4, fc.constant(undefined)],
        [3, says],
        [2, fc.constant(SILENT)],
        [1, fc.constant(seenAgain)],
      ),
      stubborn: weighted([19, false], [1, true]),
      matcherFits:
        event === "PreToolUse" || event === "PostToolUse"
          ? weighted([5, true], [1, false])
          : fc.constant(true),
      matcherDraw: fc.nat(100),
      source: weighted<Source>([3, "sdk"], [1, "user"], [2, "project"], [1, "local"]),
      repeated: either<Draft["repeated"]>(
        [9, fc.constant(undefined)],
        [1, fc.record({ source: fc.constantFrom<Source>("local", "sdk"), onError: onErrorArb })],
      ),
      onError: onErrorArb,
      delayMs: weighted([3, 0], [1, 5], [1, 15], [1, 30]),
      style: fc.record({
        bom: weighted([9, false], [1, true]),
        crlf: weighted([9, false], [1, true]),
        pretty: weighted([3, false], [1, true]),
      }),
    })
    .map(({ again, ...draft }) => ({
      ...draft,
      matcher: undefined,
      saysAgain:
        again === undefined || draft.says.end === "missing" || again.end === "missing" ? draft.says : again,
    }));
}
const SILENT: Says = { stdout: [], stderr: "", end: 0 };
const wordArb = weighted<OnError>([3, "continue"], [2, "ask"], [2, "block"]);
const byKindArb: fc.Arbitrary<Setting> = fc.dictionary(fc.constantFrom(...KINDS, "default"), wordArb, {
  maxKeys: 3,
});
const settingArb = either<Setting>([3, wordArb], [2, byKindArb]);
const onErrorArb = either<Setting | undefined>([3, fc.constant(undefined)], [4, settingArb]);
/** Mostly nobody says anything; otherwise one or two files do. */
const defaultsArb: fc.Arbitrary<Defaults> = either<Defaults>(
  [5, fc.constant({})],
  [
    3,
    fc.dictionary(fc.constantFrom("managed", "user", "project", "local"), settingArb, {
      minKeys: 1,
      maxKeys: 2,
    }),
  ],
);

/** Many small sets, in which one hook's word still shows in the end, and as many of up to six. */
function setArb(event: Event, weight: number): fc.Arbitrary<Draft[]> {
  const upTo = (maxLength: number): fc.Arbitrary<Draft[]> =>
    fc.array(draftArb(event), { minLength: 1, maxLength, size: "max" });
  // Most mistakes need one or two hooks, and every hook is a process.
  const sets = either<Draft[]>([40 - 4 * weight, fc.constant([])], [3 * weight, upTo(2)], [weight, upTo(6)]);
  // Where all are silent in the second pass, it shows which allows of the first one still count.
  return fc
    .tuple(sets, weighted([3, false], [1, true]))
    .map(([drafts, silent]) =>
      drafts.map((draft) => (silent && !isMissing(draft) ? { ...draft, saysAgain: SILENT } : draft)),
    );
}
const isMissing = (draft: Draft): boolean => draft.says.end === "missing";

const gateArb: fc.Arbitrary<Gate> = fc.record({
  mode: weighted<Gate["mode"]>(
    [4, "acceptEdits"],
    [3, "bypassPermissions"],
    [5, "default"],
    [2, "dontAsk"],
    [1, "plan"],
  ),
  answer: weighted<Gate["answer"]>([3, "allow"], [3, "without"], [3, "nobody"], [2, "deny"]),
  rules: fc.record({
    deny: weighted<string[]>(
      [20, []],
      [1, ["Write(./two.txt)"]],
      [1, ["Write", "Bash"]],
      [2, ["Grep", "Write(./one.txt)"]],
    ),
    ask: weighted<string[]>(
      [14, []],
      [1, ["Write(./two.txt)"]],
      [2, ["Bash", "Write(./one.txt)"]],
      [1, ["Read"]],
    ),
    allow: weighted<string[]>(
      [14, []],
      [1, ["Bash", "Write"]],
      [1, ["Write(./two.txt)"]],
      [1, ["Write(./one.txt)"]],
    ),
  }),
});

export const scenarioArb: fc.Arbitrary<Scenario> = fc
  .record({
    gate: gateArb,
    defaults: defaultsArb,
    call: weighted(...CALLS.map((call, i): [number, Call] => [i === 0 ? 2 : 1, call])),
    drafts: fc
      .record({
        UserPromptSubmit: setArb("UserPromptSubmit", 5),
        PreToolUse: setArb("PreToolUse", 9),
        PostToolUse: setArb("PostToolUse", 6),
        Stop: setArb("Stop", 6),
      })
      .filter((sets) => EVENTS.some((event) => sets[event].length > 0)),
  })
  .map(({ gate, defaults, call, drafts }) => {
    const settle = (event: Event): PlannedHook[] =>
      drafts[event]
        // Hooks of all files add up in the order of the files.
        .toSorted((a, b) => SOURCES.indexOf(a.source) - SOURCES.indexOf(b.source))
        .map((draft, i) => plannedHook(event, i, draft, call));
    const scenario: Scenario = {
      gate,
      defaults,
      call,
      hooks: {
        UserPromptSubmit: settle("UserPromptSubmit"),
        PreToolUse: settle("PreToolUse"),
        PostToolUse: settle("PostToolUse"),
        Stop: settle("Stop"),
      },
    };
    const seen = rewritten(scenario);
    for (const hook of scenario.hooks.PreToolUse) hook.saysAgain = withInputs(hook.saysAgain, call, seen);
    return scenario;
  });

const LETTERS: Record<Event, string> = {
  UserPromptSubmit: "U",
  PreToolUse: "P",
  PostToolUse: "A",
  Stop: "S",
};

function plannedHook(event: Event, index: number, draft: Draft, call: Call): PlannedHook {
  const { matcherDraw, matcherFits, onError, source: drawn, repeated: copy, ...rest } = draft;
  // A program that names no tool, or a program that is not there, is refused before it begins.
  const isMissing = draft.says.end === "missing" || draft.saysAgain.end === "missing";
  const source = isMissing && drawn === "sdk" ? "project" : drawn;
  const repeated = isMissing && copy?.source === "sdk" ? undefined : copy;
  const { yes, no, noTool } = MATCHERS[call.tool];
  const isGiven = source === "sdk" || repeated?.source === "sdk";
  const choices = matcherFits ? yes : isGiven ? no : [...no, ...noTool];
  const onTools = event === "PreToolUse" || event === "PostToolUse";
  const label = `${LETTERS[event]}${index + 1}`;
  const same = draft.says === draft.saysAgain;
  const again = repeated && SOURCES.indexOf(repeated.source) > SOURCES.indexOf(source) ? [repeated] : [];
  const says = withInputs(relabelled(draft.says, "§", `${label}.1`), call, call.input);
  return {
    ...rest,
    name: `hook-${label}`,
    matches: matcherFits,
    matcher: onTools ? choices[matcherDraw % choices.length] : undefined,
    says,
    saysAgain: same ? says : relabelled(draft.saysAgain, "§", `${label}.2`),
    entries: [{ in: source, onError }, ...again.map((one) => ({ in: one.source, onError: one.onError }))],
  };
}

/** Puts real inputs where marks such as "$P1.1:own,other" stand. */
function withInputs(says: Says, call: Call, seen: Input): Says {
  const stdout = withObjects(says.stdout, (object) => {
    const specific = object["hookSpecificOutput"];
    const mark = isObject(specific) ? specific["updatedInput"] : undefined;
    if (!isObject(specific) || !isMark(mark)) return object;
    const updatedInput = mark === "$seen" ? seen : edited(call.tool, seen, mark.slice(1));
    return { ...object, hookSpecificOutput: { ...specific, updatedInput } };
  });
  return { ...says, stdout };
}

function edited(tool: Call["tool"], seen: Input, mark: string): Input {
  const [label = "", edits = ""] = mark.split(":");
  const fields: Input[] = edits.split(",").map((edit) => EDITS[tool][edit] ?? {});
  return present(relabelledInput(Object.assign({}, seen, ...fields), label));
}

/** Goes field by field, for undefined marks a field to remove and would not survive JSON. */
function relabelledInput(input: Input, label: string): Input {
  return Object.fromEntries(
    Object.entries(input).map(([k, v]) => [k, typeof v === "string" ? v.replaceAll("§", label) : v]),
  );
}
