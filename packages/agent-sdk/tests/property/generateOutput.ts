import fc from "fast-check";
import { isObject, type Event, type Input, type Piece, type Says } from "./reference.ts";

/** Both shrink towards their first choice, which is therefore the plainest. */
export const weighted = <T>(...choices: [number, T][]): fc.Arbitrary<T> =>
  either(...choices.map(([weight, value]): [number, fc.Arbitrary<T>] => [weight, fc.constant(value)]));
export const either = <T>(...choices: [number, fc.Arbitrary<T>][]): fc.Arbitrary<T> =>
  fc.oneof({ withCrossShrink: true }, ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Drops the keys that were drawn as absent; null stays, for it is something a hook can print. */
export const present = (fields: Input): Input =>
  Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== undefined));
const words = (field: string): fc.Arbitrary<unknown> =>
  weighted<unknown>([14, `[§.${field}]`], [3, undefined], [1, ""], [1, null], [1, 5]);
const sometimes = (weight: number, field: string): fc.Arbitrary<unknown> =>
  weighted<unknown>([20 - weight, undefined], [weight, `[§.${field}]`], [1, null]);
const rewriteMark = fc
  .tuple(
    weighted([5, "own"], [4, "common"], [4, "other"], [1, "wrongType"], [1, "without"], [2, "nothing"]),
    weighted([3, ""], [1, ",other"]),
  )
  .map(([one, two]) => `$§:${one}${two}`);

const eventName = (event: Event): fc.Arbitrary<unknown> =>
  weighted<unknown>([13, event], [1, undefined], [1, event === "Stop" ? "PreToolUse" : "Stop"], [1, null]);

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
  const typo = typoArb(event === "PreToolUse" ? "deny" : "block");
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
            [3, weighted<unknown>([1, 5], [1, ["x"]], [1, "text"])],
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
  return fc.tuple(fields, typo).map(([all, misspelt]) => present({ ...all, ...misspelt }));
}

/** Mostly none. */
const typoArb = (word: string): fc.Arbitrary<Input> =>
  weighted<Input>(
    [40, {}],
    [1, { permissionDecison: word }],
    [1, { permission_decision: word }],
    [1, { Decision: null }],
    [1, { decison: word }],
  );

function objectArb(event: Event): fc.Arbitrary<Input> {
  const specific = either<unknown>(
    [5, specificArb(event)],
    [3, fc.constant(undefined)],
    [1, weighted<unknown>([3, null], [1, "text"])],
  );
  const topDecision =
    event === "PreToolUse"
      ? weighted<unknown>([14, undefined], [2, "block"], [2, "approve"], [1, "maybe"], [1, null])
      : weighted<unknown>([9, undefined], [4, "block"], [1, "maybe"], [1, 7], [1, null]);
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
      typo: either<Input>([12, typoArb("block")], [1, fc.constant({ contineu: false })]),
    })
    .map(({ wrongContinue, decision, reason, typo, ...rest }) => {
      const hookSpecificOutput =
        decision === undefined ? rest.hookSpecificOutput : withoutLoneReason(rest.hookSpecificOutput);
      const fields = { ...rest, ...typo, hookSpecificOutput, continue: rest.continue ?? wrongContinue };
      // What a reason in one place means for a decision in the other is not written down, so they come together.
      const object = present(decision === undefined ? fields : { ...fields, decision, reason });
      // At least one known field says something, or it would be a matter of taste whether this is a hook's object.
      const says = ["continue", "stopReason", "systemMessage", "decision", "hookSpecificOutput"].some(
        (field) => object[field] !== undefined && object[field] !== null,
      );
      return says ? object : { ...object, systemMessage: "[§.system]" };
    });
}

function withoutLoneReason(specific: unknown): unknown {
  if (!isObject(specific) || (specific["decision"] ?? specific["permissionDecision"])) return specific;
  return present({ ...specific, reason: undefined, permissionDecisionReason: undefined });
}

/** Objects that hold nothing back. */
function calmObjectArb(event: Event): fc.Arbitrary<Input> {
  if (event === "Stop") return fc.constant({ systemMessage: "[§.system]" });
  const pre = event === "PreToolUse";
  return fc
    .record({
      hookEventName: eventName(event),
      permissionDecision: pre
        ? weighted<unknown>([2, undefined], [2, "allow"])
        : fc.constant<unknown>(undefined),
      permissionDecisionReason: pre ? sometimes(5, "reason") : fc.constant<unknown>(undefined),
      updatedInput: pre
        ? either<unknown>([2, fc.constant(undefined)], [3, rewriteMark])
        : fc.constant<unknown>(undefined),
      additionalContext: sometimes(9, "context"),
    })
    .map((fields) => ({ hookSpecificOutput: present(fields) }));
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
  [1, { broken: '[{"decision": "block", "reason": "[§.broken]"}]' }],
  [1, { broken: "{ permission_decision: 'deny', reason: '[§.broken]' }" }],
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
    [1, fc.tuple(fc.tuple(objects, objects).map(([one, two]) => twice(one, two)))],
    [1, fc.tuple(brokenArb)],
    [1, fc.tuple(fc.constant(closedBroken), object)],
  );
}

const twice = (one: Input, two: Input): Piece => ({ twice: [one, relabelled(two, "§", "§b")] });

const stderrArb = weighted([3, ""], [5, "[§.stderr]"], [1, "  [§.stderr] two\n  lines \n\n"]);
/** Everything a hook can print and every way it can end. */
export function wildArb(event: Event): fc.Arbitrary<Says> {
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
/** Hooks that mostly let pass, so that what comes after them is reached often enough. */
export function calmArb(event: Event): fc.Arbitrary<Says> {
  return fc.record({
    stdout: stdoutArb(event, calmObjectArb(event)),
    stderr: stderrArb,
    end: weighted<Says["end"]>([20, 0], [1, 1], [1, "signal"]),
  });
}

/** A hook that rewrites, so that the second pass is reached often enough. */
export const rewriterArb: fc.Arbitrary<Says> = fc
  .record({
    hookEventName: fc.constant("PreToolUse"),
    permissionDecision: weighted<unknown>([1, undefined], [2, "allow"]),
    updatedInput: rewriteMark,
    additionalContext: sometimes(5, "context"),
  })
  .map((fields) => ({ stdout: [{ object: { hookSpecificOutput: present(fields) } }], stderr: "", end: 0 }));

/**
 * Takes out what no page answers: whether an updatedInput that is no object refuses the call also when the hook was
 * killed, when the event name is wrong, or when it stands in one of two objects.
 */
function withoutRiddles(says: Says): Says {
  if (says.end === "missing") return { stdout: [], stderr: "", end: "missing" };
  let objects = 0;
  withObjects(says.stdout, (object) => (objects++, object));
  const stdout = withObjects(says.stdout, (object) => {
    const specific = object["hookSpecificOutput"];
    if (!isObject(specific) || isMark(specific["updatedInput"])) return object;
    const isClear =
      typeof says.end === "number" && objects === 1 && specific["hookEventName"] === "PreToolUse";
    if (isClear) return object;
    return { ...object, hookSpecificOutput: present({ ...specific, updatedInput: undefined }) };
  });
  return { ...says, stdout };
}

/** The same pieces with other objects in them. */
export function withObjects(stdout: Piece[], change: (object: Input) => Input): Piece[] {
  return stdout.map((piece): Piece => {
    if ("object" in piece) return { object: change(piece.object) };
    if ("twice" in piece) return { twice: [change(piece.twice[0]), change(piece.twice[1])] };
    return piece;
  });
}

/** "$P1.1:own,other" and the like stand for an updatedInput until the call is known. */
export const isMark = (value: unknown): value is string => typeof value === "string" && value.startsWith("$");

/** Prints the very input it is shown in the second pass: a rewrite that changes nothing. */
export const seenAgain: Says = {
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

export function relabelled<T>(value: T, from: string, to: string): T {
  if (typeof value === "string") return value.replaceAll(from, to) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => relabelled(one, from, to)) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, relabelled(one, from, to)])) as T;
}
