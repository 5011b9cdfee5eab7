import fc from "fast-check";
import {
  isObject,
  type Event,
  type Hook,
  type Input,
  type OnError,
  type Piece,
  type Says,
} from "./reference.ts";
import { rewritten, type Call, type Gate, type Turn } from "./referenceTurn.ts";

/** Where hooks can be declared, in the order in which they add up. */
export const SOURCES = ["user", "project", "local", "sdk"] as const;
export type Source = (typeof SOURCES)[number];
export const EVENTS: Event[] = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];

/** A hook as the reference sees it, and what it takes to write it down as a real one. */
export interface PlannedHook extends Hook {
  stubborn: boolean;
  matcher: string | undefined;
  source: Source;
  /** The same entry once more, in a later file; the stricter onError counts. */
  repeated: { source: Source; onError: OnError } | undefined;
  ownOnError: OnError;
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
const MATCHERS: Record<Call["tool"], { yes: (string | undefined)[]; no: string[] }> = {
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
    no: ["Read", "Edit|Read", "Bash", "Ed*", "?rit", "^rite$", "mcp__.*", "Writ", "Write.x"],
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
    no: ["Read", "Edit|Read", "Write", "Wr*", "?as", "^ash$", "mcp__.*", "BashOutpu", "Bash.x"],
  },
};

/** Both shrink towards their first choice, which is therefore the plainest. */
const weighted = <T>(...choices: [number, T][]): fc.Arbitrary<T> =>
  either(...choices.map(([weight, value]): [number, fc.Arbitrary<T>] => [weight, fc.constant(value)]));
const either = <T>(...choices: [number, fc.Arbitrary<T>][]): fc.Arbitrary<T> =>
  fc.oneof({ withCrossShrink: true }, ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Drops the keys that were drawn as absent; null stays, for it is something a hook can print. */
const present = (fields: Input): Input =>
  Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== undefined));
const words = (field: string): fc.Arbitrary<unknown> =>
  weighted<unknown>([14, `[§.${field}]`], [3, undefined], [1, ""], [1, null], [1, 5]);
const sometimes = (weight: number, field: string): fc.Arbitrary<unknown> =>
  weighted<unknown>([20 - weight, undefined], [weight, `[§.${field}]`], [1, null]);
/** "$P1.1:own,other" and the like stand for an updatedInput until the call is known. */
const rewriteMark = fc
  .tuple(
    weighted([5, "own"], [4, "common"], [4, "other"], [1, "wrongType"], [1, "without"], [2, "nothing"]),
    weighted([3, ""], [1, ",other"]),
  )
  .map(([one, two]) => `$§:${one}${two}`);

const eventName = (event: Event): fc.Arbitrary<unknown> =>
  weighted<unknown>([16, event], [1, undefined], [1, event === "Stop" ? "PreToolUse" : "Stop"], [1, null]);

function specificArb(event: Event): fc.Arbitrary<Input> {
  const decision =
    event === "PreToolUse"
      ? weighted<unknown>(
          [8, undefined],
          [5, "allow"],
          [3, "deny"],
          [3, "ask"],
          [1, "maybe"],
          [1, null],
          [1, true],
        )
      : weighted<unknown>([6, undefined], [4, "block"], [1, "perhaps"], [1, null]);
  const reason = words("reason");
  const context = weighted<unknown>([6, undefined], [5, "[§.context]"], [1, ["[§.context]"]]);
  const fields =
    event === "PreToolUse"
      ? fc.record({
          hookEventName: eventName(event),
          permissionDecision: decision,
          permissionDecisionReason: reason,
          updatedInput: either<unknown>(
            [8, fc.constant(undefined)],
            [6, rewriteMark],
            [1, weighted<unknown>([1, 5], [1, ["x"]], [1, "text"])],
          ),
          additionalContext: context,
        })
      : fc.record({
          hookEventName: eventName(event),
          decision,
          reason,
          additionalContext: event === "Stop" ? sometimes(1, "context") : context,
          permissionDecision: weighted<unknown>([15, undefined], [1, "deny"]),
          updatedInput: weighted<unknown>([15, undefined], [1, {}]),
          note: weighted<unknown>([9, undefined], [1, 1]),
        });
  return fields.map(present);
}

function objectArb(event: Event): fc.Arbitrary<Input> {
  const specific = either<unknown>(
    [5, specificArb(event)],
    [3, fc.constant(undefined)],
    [1, weighted<unknown>([3, null], [1, "text"])],
  );
  const topDecision =
    event === "PreToolUse"
      ? weighted<unknown>([14, undefined], [2, "block"], [2, "approve"], [1, "maybe"])
      : weighted<unknown>([9, undefined], [4, "block"], [1, "maybe"], [1, 7]);
  return fc
    .record({
      continue: weighted<unknown>([16, undefined], [2, true], [1, false], [1, null]),
      wrongContinue: weighted<unknown>([30, undefined], [1, "false"]),
      stopReason: sometimes(2, "stopReason"),
      systemMessage: weighted<unknown>([10, undefined], [3, "[§.system]"], [1, 5]),
      decision: topDecision,
      reason: words("topReason"),
      hookSpecificOutput: specific,
      note: weighted<unknown>([9, undefined], [1, "[§.note]"]),
    })
    .map(({ wrongContinue, decision, reason, ...rest }) => {
      const fields = { ...rest, continue: rest.continue ?? wrongContinue };
      // A reason at the top belongs to a decision at the top; what it would mean beside another is not written down.
      const object = present(decision === undefined ? fields : { ...fields, decision, reason });
      // At least one known field says something, or it would be a matter of taste whether this is a hook's object.
      const says = ["continue", "stopReason", "systemMessage", "decision", "hookSpecificOutput"].some(
        (field) => object[field] !== undefined && object[field] !== null,
      );
      return says ? object : { ...object, systemMessage: "[§.system]" };
    });
}

/** Objects that hold nothing back, so that what comes after them is reached often enough. */
function calmObjectArb(event: Event): fc.Arbitrary<Input> {
  if (event === "Stop") return fc.constant({ systemMessage: "[§.system]" });
  const pre = event === "PreToolUse";
  return fc
    .record({
      permissionDecision: pre
        ? weighted<unknown>([2, undefined], [2, "allow"])
        : fc.constant<unknown>(undefined),
      permissionDecisionReason: pre ? sometimes(5, "reason") : fc.constant<unknown>(undefined),
      updatedInput: pre
        ? either<unknown>([2, fc.constant(undefined)], [3, rewriteMark])
        : fc.constant<unknown>(undefined),
      additionalContext: sometimes(9, "context"),
    })
    .map((fields) => ({ hookSpecificOutput: present({ hookEventName: event, ...fields }) }));
}

const plainArb: fc.Arbitrary<Piece> = weighted<Piece>(
  [6, { text: "[§.stdout]" }],
  [2, { text: "  [§.stdout] first\nand second line\n" }],
  [1, { object: { colour: "[§.stdout]" } }],
  [1, { text: "{not JSON at all: [§.stdout]}" }],
  [1, { text: 'say {"decision": "block", "reason": "[§.stdout]"} in the middle of a line' }],
);
const noiseArb: fc.Arbitrary<Piece> = weighted<Piece>(
  [2, { text: "[§.noise] welcome" }],
  [1, { text: "\n  [§.noise]\n" }],
  [1, { text: "[§.noise] }" }],
);
const brokenArb: fc.Arbitrary<Piece> = weighted<Piece>(
  [2, { broken: '{"decision": "block", "reason": "[§.broken]"' }],
  [1, { broken: '{"continue": false, "stopReason": "[§.broken]",}' }],
  [1, { broken: '{"hookSpecificOutput": {"permissionDecision": "deny"' }],
  [1, { broken: "{'decision': 'block', 'reason': '[§.broken]'}" }],
);
const closedBroken: Piece = { broken: '{"decision": block, "reason": "[§.broken]"}' };

function stdoutArb(event: Event, objects: fc.Arbitrary<Input>): fc.Arbitrary<Piece[]> {
  const object: fc.Arbitrary<Piece> = objects.map((one) => ({ object: one }));
  const second = object.map((piece) => relabelled(piece, "§", "§b"));
  return either<Piece[]>(
    [5, fc.constant([])],
    [10, fc.tuple(object)],
    [4, fc.tuple(plainArb)],
    [1, fc.tuple(noiseArb, object)],
    [1, fc.tuple(object, noiseArb)],
    [1, fc.tuple(object, second)],
    [1, fc.tuple(brokenArb)],
    [1, fc.tuple(fc.constant(closedBroken), object)],
  );
}

const stderrArb = weighted([3, ""], [5, "[§.stderr]"], [1, "  [§.stderr] two\n  lines \n\n"]);
function wildArb(event: Event): fc.Arbitrary<Says> {
  const end = weighted<Says["end"]>(
    [24, 0],
    [10, 2],
    [6, 1],
    [2, 3],
    [2, 126],
    [2, 127],
    [2, 255],
    [2, "signal"],
    [2, "missing"],
    [1, "timeout"],
  );
  return fc
    .record({ stdout: stdoutArb(event, objectArb(event)), stderr: stderrArb, end })
    .map(withoutRiddles);
}
function calmArb(event: Event): fc.Arbitrary<Says> {
  return fc.record({
    stdout: stdoutArb(event, calmObjectArb(event)),
    stderr: stderrArb,
    end: weighted<Says["end"]>([14, 0], [1, 1]),
  });
}

/** Whether an updatedInput that is no object refuses the call when the hook was killed as well is not written down. */
function withoutRiddles(says: Says): Says {
  if (typeof says.end === "number") return says;
  if (says.end === "missing") return { stdout: [], stderr: "", end: "missing" };
  const stdout = says.stdout.map((piece): Piece => {
    const specific = "object" in piece ? piece.object["hookSpecificOutput"] : undefined;
    if (!("object" in piece) || !isObject(specific) || String(specific["updatedInput"]).startsWith("$"))
      return piece;
    return {
      object: { ...piece.object, hookSpecificOutput: present({ ...specific, updatedInput: undefined }) },
    };
  });
  return { ...says, stdout };
}

type Draft = Omit<PlannedHook, "name" | "matches" | "onError"> & {
  matcherDraw: number;
  matcherFits: boolean;
};

function draftArb(event: Event): fc.Arbitrary<Draft> {
  const temper: [number, fc.Arbitrary<Says>][] = [
    [event === "UserPromptSubmit" ? 4 : event === "PreToolUse" ? 3 : 2, calmArb(event)],
    [1, wildArb(event)],
  ];
  const says = either(...temper);
  return fc
    .record({
      says,
      again: either<Says | undefined>(
        [4, fc.constant(undefined)],
        [2, says],
        [1, fc.constant({ stdout: [], stderr: "", end: 0 })],
        [2, fc.constant(seenAgain)],
      ),
      stubborn: weighted([19, false], [1, true]),
      matcherFits:
        event === "PreToolUse" || event === "PostToolUse"
          ? weighted([5, true], [1, false])
          : fc.constant(true),
      matcherDraw: fc.nat(100),
      source: weighted<Source>([3, "sdk"], [1, "user"], [2, "project"], [1, "local"]),
      repeated: either<PlannedHook["repeated"]>(
        [9, fc.constant(undefined)],
        [1, fc.record({ source: fc.constantFrom<Source>("local", "sdk"), onError: onErrorArb })],
      ),
      ownOnError: onErrorArb,
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
const onErrorArb = weighted<OnError>([3, "continue"], [1, "ask"], [1, "block"]);
/** Prints the very input it is shown in the second pass: a rewrite that changes nothing. */
const seenAgain: Says = {
  stdout: [
    {
      object: {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          updatedInput: "$seen",
        },
      },
    },
  ],
  stderr: "",
  end: 0,
};

const setArb = (event: Event, weight: number): fc.Arbitrary<Draft[]> =>
  either<Draft[]>(
    [10 - weight, fc.constant([])],
    [weight, fc.array(draftArb(event), { minLength: 1, maxLength: 6, size: "max" })],
  );

const gateArb: fc.Arbitrary<Gate> = fc.record({
  mode: weighted<Gate["mode"]>(
    [5, "acceptEdits"],
    [5, "bypassPermissions"],
    [2, "default"],
    [1, "dontAsk"],
    [1, "plan"],
  ),
  answer: weighted<Gate["answer"]>([4, "allow"], [3, "nobody"], [1, "deny"]),
  rules: fc.record({
    deny: weighted<string[]>(
      [24, []],
      [1, ["Write(./two.txt)"]],
      [1, ["Write", "Bash"]],
      [1, ["Grep", "Write(./one.txt)"]],
    ),
    ask: weighted<string[]>(
      [24, []],
      [1, ["Write(./two.txt)"]],
      [1, ["Bash", "Write(./one.txt)"]],
      [1, ["Read"]],
    ),
    allow: weighted<string[]>(
      [10, []],
      [2, ["Bash", "Write"]],
      [1, ["Write(./two.txt)"]],
      [1, ["Write(./one.txt)"]],
    ),
  }),
});

export const scenarioArb: fc.Arbitrary<Scenario> = fc
  .record({
    gate: gateArb,
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
  .map(({ gate, call, drafts }) => {
    const settle = (event: Event): PlannedHook[] =>
      drafts[event]
        // Hooks of all files add up in the order of the files.
        .toSorted((a, b) => SOURCES.indexOf(a.source) - SOURCES.indexOf(b.source))
        .map((draft, i) => plannedHook(event, i, draft, call));
    const scenario: Scenario = {
      gate,
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
  const { matcherDraw, matcherFits, ...rest } = draft;
  const choices = matcherFits ? MATCHERS[call.tool].yes : MATCHERS[call.tool].no;
  const onTools = event === "PreToolUse" || event === "PostToolUse";
  const label = `${LETTERS[event]}${index + 1}`;
  const same = draft.says === draft.saysAgain;
  const repeated =
    draft.repeated && SOURCES.indexOf(draft.repeated.source) > SOURCES.indexOf(draft.source)
      ? draft.repeated
      : undefined;
  const says = withInputs(relabelled(draft.says, "§", `${label}.1`), call, call.input);
  return {
    ...rest,
    name: `hook-${label}`,
    matches: matcherFits,
    matcher: onTools ? choices[matcherDraw % choices.length] : undefined,
    says,
    saysAgain: same ? says : relabelled(draft.saysAgain, "§", `${label}.2`),
    repeated,
    onError: strictest(draft.ownOnError, repeated?.onError),
  };
}

function strictest(a: OnError, b: OnError | undefined): OnError {
  const order: OnError[] = ["continue", "ask", "block"];
  return b !== undefined && order.indexOf(b) > order.indexOf(a) ? b : a;
}

/** Puts real inputs where marks such as "$P1.1:own,other" stand. */
function withInputs(says: Says, call: Call, seen: Input): Says {
  const stdout = says.stdout.map((piece): Piece => {
    const specific = "object" in piece ? piece.object["hookSpecificOutput"] : undefined;
    if (!("object" in piece) || !isObject(specific)) return piece;
    const mark = specific["updatedInput"];
    if (typeof mark !== "string" || !mark.startsWith("$")) return piece;
    const updatedInput = mark === "$seen" ? seen : edited(call.tool, seen, mark.slice(1));
    return { object: { ...piece.object, hookSpecificOutput: { ...specific, updatedInput } } };
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

export function relabelled<T>(value: T, from: string, to: string): T {
  if (typeof value === "string") return value.replaceAll(from, to) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => relabelled(one, from, to)) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, relabelled(one, from, to)])) as T;
}
