import {
  readHook,
  type Event,
  type Hook,
  type Input,
  type Says,
  type Sure,
  type Text,
  type Verdict,
} from "./reference.ts";
import type { Defaults } from "./referencePolicy.ts";
import { applied, difference, fits, type Change } from "./referenceRewrites.ts";

/** Who decides beside the hooks: rules are whole tools (`Write`) or one file in the project (`Write(./one.txt)`). */
export interface Gate {
  mode: "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions";
  rules: { deny: string[]; ask: string[]; allow: string[] };
  /** "without": yes, and the hooks that failed are named in it. */
  answer: "allow" | "without" | "deny" | "nobody";
}
export interface Call {
  tool: "Write" | "Bash";
  input: Input;
}
export interface StopHook extends Hook {
  /** Says the same at every stop; the others are silent from the second stop on. */
  stubborn: boolean;
}
export interface Turn {
  gate: Gate;
  /** `hookDefaults` of the files. */
  defaults: Defaults;
  call: Call;
  hooks: { UserPromptSubmit: Hook[]; PreToolUse: Hook[]; PostToolUse: Hook[]; Stop: StopHook[] };
}

interface Line {
  event: Event;
  hook: string;
  text: Text;
  sure: Sure;
}
/** One prompt, from its hooks to the end of its turn. The model calls the tool once and says "done" ever after. */
export interface Expected {
  erased: boolean;
  because: string[];
  modelCalls: number;
  /** Plain messages of role user, word for word, right after the prompt. */
  plain: string[];
  /** Told to the model in a message of role user; `sure: "maybe"` where the turn ends anyway. */
  context: Line[];
  feedback: (Line & { from: Verdict["reasonFrom"] })[];
  /** Absent when the model was never called. */
  tool: { ran: boolean; input: Input; result: Text[]; resultIsExact: boolean } | undefined;
  asked: { about: string; reasons: Text[] }[];
  unanswered: boolean;
  errors: Line[];
  warns: Record<string, Sure>;
  /** Pairs of hooks that one warning must name together. */
  warnedTogether: [string, string][];
  systemMessages: string[];
  halts: Text[];
  /** Hooks about which Wave says a sentence of its own to the model; their words may be in it. */
  openToModel: string[];
  /** How often each hook must have run. */
  runs: Record<string, number>;
  /** How often something went on although the hook failed; hooks of which that is not true are absent. */
  failedOpen: Record<string, number>;
}

const SILENT: Says = { stdout: [], stderr: "", end: 0 };
export const STOP_CAP = 8;

export function expectTurn(turn: Turn): Expected {
  const out: Expected = {
    erased: false,
    because: ["done"],
    modelCalls: 0,
    plain: [],
    context: [],
    feedback: [],
    tool: undefined,
    asked: [],
    unanswered: false,
    errors: [],
    warns: {},
    warnedTogether: [],
    systemMessages: [],
    halts: [],
    openToModel: [],
    runs: {},
    failedOpen: {},
  };
  for (const hook of Object.values(turn.hooks).flat()) out.runs[hook.name] = 0;

  promptIsSubmitted(turn, out);
  if (out.erased) return out;
  out.modelCalls = 1;
  const ended = toolIsCalled(turn, out);
  if (ended) return out;
  out.modelCalls = 2;
  modelStops(turn, out);
  return out;
}

function promptIsSubmitted(turn: Turn, out: Expected): void {
  const verdicts = run("UserPromptSubmit", turn, turn.hooks.UserPromptSubmit, (hook) => hook.says, out);
  const denied = verdicts.filter((v) => v.decision === "deny");
  const asked = verdicts.filter((v) => v.decision === "ask");
  const halted = out.halts.length > 0;
  // Where somebody can answer, a hook that blocks only because it failed is a question; a real no is none.
  const isQuestion =
    !halted && (denied.length > 0 ? canAsk(turn.gate) && denied.every((v) => v.byFailure) : asked.length > 0);
  if (isQuestion) {
    const guards = [...denied, ...asked];
    // The question has them in declared order.
    const reasons = verdicts.filter((v) => guards.includes(v)).map((v) => v.reason);
    if (
      answeredWithYes("prompt", reasons, turn.gate, out) &&
      (denied.length === 0 || turn.gate.answer === "without")
    ) {
      passed(guards, out);
    } else {
      out.erased = true;
      out.because = ["prompt-blocked", "denied"];
      for (const v of guards)
        out.errors.push({ event: "UserPromptSubmit", hook: v.hook, text: { all: [] }, sure: "maybe" });
    }
  } else if (halted || denied.length > 0) {
    out.erased = true;
    out.because = halted ? ["halted"] : ["prompt-blocked"];
    const sure = halted ? "maybe" : "yes";
    for (const v of denied)
      out.errors.push({ event: "UserPromptSubmit", hook: v.hook, text: v.reason, sure });
  }
  if (out.erased) out.context = [];
  else out.plain = verdicts.flatMap((v) => (v.plain === undefined ? [] : [v.plain]));
  if (!out.erased) countFailedOpen(verdicts, out);
}

/** True when the turn ended here. */
function toolIsCalled(turn: Turn, out: Expected): boolean {
  const { gate, call } = turn;
  const hooks = turn.hooks.PreToolUse.filter((hook) => hook.matches);
  const first = run("PreToolUse", turn, hooks, (hook) => hook.says, out);
  const changes = first.map((v) => difference(call.input, v.updatedInput));
  const input = applied(call.input, changes);
  const firstDenials = first.filter((v) => v.decision === "deny");
  // A person will be asked about hooks that deny only because they failed, and has to see what would run.
  const mayPass = canAsk(gate) && firstDenials.every((v) => v.byFailure);
  const stopped = out.halts.length > 0 || (firstDenials.length > 0 && !mayPass);
  warnAboutConflicts(hooks, changes, stopped ? "maybe" : "yes", out);

  const changed = changes.some((change) => change.size > 0);
  const misfit = changed && !fits(call.tool, input);
  let second: Verdict[] = [];
  if (changed && !misfit && !stopped) {
    const { context } = out;
    second = run("PreToolUse", turn, hooks, (hook) => hook.saysAgain, out);
    // One context per hook: that of the second pass when there is one.
    const again = new Set(second.filter((v) => v.context !== undefined).map((v) => v.hook));
    out.context = [
      ...context.filter((line) => line.event !== "PreToolUse"),
      ...hooks.flatMap((hook) => {
        const from = again.has(hook.name) ? second : first;
        const text = from.find((v) => v.hook === hook.name)?.context;
        return text === undefined ? [] : [contextLine("PreToolUse", hook.name, text)];
      }),
    ];
    onlyDifferentErrors(hooks, out);
  }
  const late = second.filter(
    (v, i) =>
      v.updatedInput !== undefined && difference(input, v.updatedInput).size > 0 && changes[i]?.size === 0,
  );
  for (const [i, v] of second.entries()) {
    // Whether the ignored rewrite of a hook that already rewrote is worth a warning is left open.
    if (v.updatedInput !== undefined && (changes[i]?.size ?? 0) > 0)
      out.warns[v.hook] = louder(out.warns[v.hook], "maybe");
    if (late.includes(v)) out.warns[v.hook] = louder(out.warns[v.hook], "maybe");
  }

  const verdicts = [...first, ...second];
  const denials = verdicts.filter((v) => v.decision === "deny");
  // A hook that denies in one look has nothing more to ask.
  const asks = verdicts.filter((v) => v.decision === "ask" && !denials.some(({ hook }) => hook === v.hook));
  // An allow is for what its hook saw, or made of it: it counts when that is what runs.
  const isAsItWants = (v: Verdict): boolean => difference(input, v.updatedInput).size === 0;
  const firstAllowStands = (v: Verdict, i: number): boolean =>
    v.decision === "allow" && (!changed || ((changes[i]?.size ?? 0) > 0 && isAsItWants(v)));
  const allowed =
    first.some(firstAllowStands) || second.some((v) => v.decision === "allow" && isAsItWants(v));
  const ruled = (rules: string[], on: Input): boolean =>
    rules.some(
      (rule) => rule === call.tool || rule === `${call.tool}(./${String(on["file_path"]).split("/").at(-1)})`,
    );
  // What holds a file back holds it back from a command that writes it, too (T85).
  const holdsBack = (rules: string[], on: Input): boolean =>
    ruled(rules, on) ||
    (call.tool === "Bash" && rules.includes(`Write(./${writtenBy(String(on["command"]))})`));
  const { deny, ask, allow } = gate.rules;
  const deniedByOthers = holdsBack(deny, call.input) || holdsBack(deny, input) || gate.mode === "plan";
  const refused = misfit || late.length > 0;

  const tool = { ran: false, input, result: [] as Text[], resultIsExact: false };
  out.tool = tool;
  const own = denials.filter((v) => out.halts.length > 0 || !("is" in v.reason));
  out.openToModel.push(...[...own, ...verdicts.filter((v) => v.halt)].map((v) => v.hook));
  if (out.halts.length > 0) return endTurn(out, "halted");
  const isGuardQuestion = canAsk(gate) && denials.length > 0 && denials.every((v) => v.byFailure);
  if ((denials.length > 0 && !isGuardQuestion) || refused || deniedByOthers) {
    tool.result = reasonsPerHook(hooks.flatMap(({ name }) => denials.filter((v) => v.hook === name)));
    tool.resultIsExact = denials.length > 0 && !refused && !deniedByOthers;
    return false;
  }
  const asksByRule = holdsBack(ask, call.input) || holdsBack(ask, input);
  const letThrough =
    allowed ||
    ruled(allow, input) ||
    gate.mode === "bypassPermissions" ||
    // Every command that is generated only writes a file of the project.
    gate.mode === "acceptEdits";
  if (isGuardQuestion || asks.length > 0 || asksByRule || !letThrough) {
    const inOrder = (some: Verdict[]): Verdict[] =>
      hooks.flatMap(({ name }) => some.filter((v) => v.hook === name));
    const reasons = [...reasonsPerHook(inOrder(denials)), ...reasonsPerHook(inOrder(asks))];
    const yes = answeredWithYes(call.tool, reasons, gate, out);
    // A yes that does not name the hooks which block because they failed does not open them.
    if (!yes || (isGuardQuestion && gate.answer !== "without")) {
      out.openToModel.push(...[...denials, ...asks].map((v) => v.hook));
      const byPerson = gate.answer === "deny" && gate.mode !== "dontAsk";
      return byPerson ? endTurn(out, "denied") : false;
    }
    passed(failedAlone([...denials, ...asks]), out);
  }

  tool.ran = true;
  countFailedOpen(verdicts, out);
  const post = run(
    "PostToolUse",
    turn,
    turn.hooks.PostToolUse.filter((hook) => hook.matches),
    (hook) => hook.says,
    out,
  );
  const halted = out.halts.length > 0;
  out.feedback.push(...feedbackOf("PostToolUse", post, halted ? "maybe" : "yes"));
  if (halted) mayWarnAboutOverruled(post, out);
  if (!halted && !post.some((v) => v.decision === "deny")) countFailedOpen(post, out);
  return halted ? endTurn(out, "halted") : false;
}

function modelStops(turn: Turn, out: Expected): void {
  for (let stop = 1; ; stop += 1) {
    const verdicts = run(
      "Stop",
      turn,
      turn.hooks.Stop,
      (hook) => (stop === 1 || hook.stubborn || hook.says.end === "missing" ? hook.says : SILENT),
      out,
    );
    const halted = out.halts.length > 0;
    const blocked = verdicts.some((v) => v.decision === "deny");
    const capped = blocked && stop === STOP_CAP;
    out.feedback.push(...feedbackOf("Stop", verdicts, halted || capped ? "maybe" : "yes"));
    if (halted || capped) mayWarnAboutOverruled(verdicts, out);
    if (!halted && (!blocked || capped)) countFailedOpen(verdicts, out);
    if (halted) return void endTurn(out, "halted");
    if (capped) return void endTurn(out, "stop-cap");
    if (!blocked) return;
    out.modelCalls += 1;
  }
}

function run<H extends Hook>(
  event: Event,
  { defaults }: Turn,
  hooks: H[],
  says: (hook: H) => Says,
  out: Expected,
): Verdict[] {
  return hooks.map((hook) => {
    out.runs[hook.name] = (out.runs[hook.name] ?? 0) + 1;
    const v = readHook(event, hook, says(hook), defaults);
    if ((event === "PostToolUse" || event === "Stop") && v.decision === "deny" && !("is" in v.reason)) {
      out.openToModel.push(v.hook);
    }
    if (v.halt !== undefined) out.halts.push(v.halt);
    if (v.error !== undefined) out.errors.push({ event, hook: v.hook, ...v.error });
    if (v.context !== undefined) out.context.push(contextLine(event, v.hook, v.context));
    out.warns[v.hook] = louder(out.warns[v.hook], v.warns);
    for (const message of v.systemMessages) {
      if (!out.systemMessages.includes(message)) out.systemMessages.push(message);
    }
    return v;
  });
}

/** Asks once; true when a person said yes. Where nobody can answer, and in dontAsk, an ask is a deny. */
function answeredWithYes(about: string, reasons: Text[], gate: Gate, out: Expected): boolean {
  if (gate.mode === "dontAsk") return false;
  if (gate.answer === "nobody") {
    out.unanswered = true;
    return false;
  }
  out.asked.push({ about, reasons });
  return gate.answer !== "deny";
}

const canAsk = (gate: Gate): boolean => gate.answer !== "nobody" && gate.mode !== "dontAsk";

/** What went on without its guard is said, with the guard's name. */
function passed(guards: Verdict[], out: Expected): void {
  for (const v of guards) out.warns[v.hook] = louder(out.warns[v.hook], "yes");
}

/** A hook that asks in one look because it failed, and in the other of its own, asks of its own. */
function failedAlone(verdicts: Verdict[]): Verdict[] {
  return verdicts.filter((v) => verdicts.every((other) => other.hook !== v.hook || other.byFailure));
}

/** Something went on: once for each hook that failed and let it, however often the hook was asked about it. */
function countFailedOpen(verdicts: Verdict[], out: Expected): void {
  for (const name of new Set(verdicts.filter((v) => v.failedOpen).map((v) => v.hook)))
    out.failedOpen[name] = (out.failedOpen[name] ?? 0) + 1;
}

function endTurn(out: Expected, because: string): true {
  out.because = [because];
  return true;
}

const contextLine = (event: Event, hook: string, text: string): Line => ({
  event,
  hook,
  text: { is: text },
  sure: "yes",
});

function feedbackOf(event: Event, verdicts: Verdict[], sure: Sure): Expected["feedback"] {
  return verdicts
    .filter((v) => v.decision === "deny")
    .map((v) => ({ event, hook: v.hook, text: v.reason, from: v.reasonFrom, sure }));
}

/** Whether the user is told that a block came to nothing because the turn ended is left open. */
/** The file behind the last `>` of a command of this test. */
const writtenBy = (command: string): string | undefined =>
  />\s*'?([^'\s]*)'?\s*$/.exec(command)?.[1]?.split("/").at(-1);

function mayWarnAboutOverruled(verdicts: Verdict[], out: Expected): void {
  for (const v of verdicts) if (v.decision === "deny") out.warns[v.hook] = louder(out.warns[v.hook], "maybe");
}

function louder(a: Sure | undefined, b: Sure): Sure {
  if (a === "yes" || b === "yes") return "yes";
  return a === "maybe" || b === "maybe" ? "maybe" : "no";
}

/** A hook may ask in both passes; one of its reasons is enough. */
function reasonsPerHook(asks: Verdict[]): Text[] {
  const words = (text: Text): string[] => ("is" in text ? [text.is] : "any" in text ? text.any : text.all);
  return [...Map.groupBy(asks, (v) => v.hook).values()].map((both) => {
    const [one] = both;
    if (one && both.length === 1) return one.reason;
    return both.some((v) => words(v.reason).length === 0)
      ? { all: [] }
      : { any: both.flatMap((v) => words(v.reason)) };
  });
}

/** The same error of the same hook in both passes is shown once. */
function onlyDifferentErrors(hooks: Hook[], out: Expected): void {
  for (const hook of hooks) {
    const [one, two] = out.errors.filter((line) => line.event === "PreToolUse" && line.hook === hook.name);
    if (one === undefined || two === undefined) continue;
    const [a, b] = [hook.says, hook.saysAgain];
    if (JSON.stringify(a) === JSON.stringify(b)) out.errors.splice(out.errors.indexOf(two), 1);
    else if (a.stderr.trim() === b.stderr.trim() || a.stderr.trim() === "" || b.stderr.trim() === "")
      two.sure = "maybe";
  }
}

function warnAboutConflicts(hooks: Hook[], changes: Change[], sure: Sure, out: Expected): void {
  for (const field of new Set(changes.flatMap((change) => [...change.keys()]))) {
    const writers = hooks.filter((_, i) => changes[i]?.has(field));
    const values = new Set(writers.map((hook) => JSON.stringify(changes[hooks.indexOf(hook)]?.get(field))));
    if (values.size < 2) continue;
    for (const writer of writers) out.warns[writer.name] = louder(out.warns[writer.name], "maybe");
    const [one, two] = writers;
    if (sure === "yes" && writers.length === 2 && one && two) out.warnedTogether.push([one.name, two.name]);
  }
}

/** The input that all hooks judge in the second pass. */
export function rewritten(turn: Turn): Input {
  const hooks = turn.hooks.PreToolUse.filter((hook) => hook.matches);
  const changes = hooks.map((hook) =>
    difference(turn.call.input, readHook("PreToolUse", hook, hook.says).updatedInput),
  );
  return applied(turn.call.input, changes);
}
