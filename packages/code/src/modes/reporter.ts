import {
  builtInToolNames,
  describeFailedOpen,
  describeLeftOut,
  hooksNotThere,
  modelKeysOf,
  type Agent,
  type AgentEvent,
  type Settings,
  type TurnEnd,
} from "wave-agent-sdk";
import type { SessionFlags } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { debugEvent } from "../output/debugEvent.ts";
import { noteLine } from "../output/noteLine.ts";
import type { Note } from "../output/note.ts";
import { noteReader } from "../output/notes.ts";
import { paintFor } from "../output/paint.ts";
import { resultOf, resultWithoutTurn } from "../output/result.ts";
import type { PrintResult, ResultSubtype, StreamEvent } from "../output/schema.ts";
import { streamEvents } from "../output/streamEvents.ts";
import { count, emptyTally } from "../output/tally.ts";
import { printable, printableJson } from "../utils/printable.ts";

export type Reporter = ReturnType<typeof reporter>;

/** Says everything on the right stream in the format that was asked for. */
export function reporter(flags: SessionFlags, { stdout, stderr, env, cwd, version }: Surroundings) {
  const notesOf = noteReader();
  const linesOf = streamEvents({ includeHookEvents: flags.includeHookEvents });
  const paint = paintFor(stderr, env);
  const keys = modelKeysOf(env, undefined);
  let tally = emptyTally();
  let leftOut: string | undefined;

  const note = (said: Note) => stderr.write(noteLine(said, { paint, folder: cwd }));
  // What is announced while the session is being made waits for the line that names the session.
  let early: StreamEvent[] | undefined = [];
  const json = (value: PrintResult | StreamEvent) => stdout.write(`${printableJson(value)}\n`);
  const stream = (lines: StreamEvent[]) => {
    if (early) early.push(...lines);
    else for (const line of lines) json(line);
  };
  const result = (value: PrintResult) => {
    if (flags.outputFormat !== "text") json(value);
  };
  // Why a turn ends whose output goes nowhere is said otherwise; "interrupted" would name somebody else.
  const isKnown = (event: AgentEvent, said: Note) =>
    stdout.brokenBy !== undefined &&
    event.type === "turn_ended" &&
    event.end.because === "aborted" &&
    said.text === event.end.reason;

  return {
    note,
    readerGone: () => note({ kind: "error", text: "nobody reads the output any more: its reader has gone." }),
    event: (event: AgentEvent) => {
      if (flags.debug) stderr.write(`${paint("dim", "debug:")} ${printableJson(debugEvent(event, keys))}\n`);
      tally = count(tally, event);
      for (const said of notesOf(event)) if (!isKnown(event, said)) note(said);
      if (flags.outputFormat === "stream-json") stream(linesOf(event));
    },
    session: (agent: Agent) => {
      if (flags.outputFormat !== "stream-json") return;
      const waited = early ?? [];
      early = undefined;
      stream([
        { type: "session", session_id: agent.sessionId, session_file: agent.sessionFile, cwd, version },
        ...waited,
      ]);
    },
    answer: (end: TurnEnd) => {
      if (end.answer === "") return;
      const text = end.answer.endsWith("\n") ? end.answer : `${end.answer}\n`;
      // A pipe gets the words of the model as they are; a terminal must not be told what to do by them.
      stdout.write(stdout.isTTY ? printable(text) : text);
    },
    /** What the run is guarded by, before it begins. */
    settings: (settings: Settings) => {
      const notThere = hooksNotThere(settings, builtInToolNames());
      tally = emptyTally(notThere.length);
      leftOut = describeLeftOut(notThere);
    },
    /** Said once more at the end: what went on unjudged, or was never guarded, must not scroll away. */
    unguarded: () => {
      for (const text of [leftOut, describeFailedOpen(tally.failedOpen)])
        if (text !== undefined) note({ kind: "warning", text });
    },
    result: (end: TurnEnd, { sessionId, notSaved, saveProblem }: Agent, status: number) =>
      result(resultOf({ end, tally, sessionId, exitStatus: status, notSaved, saveProblem })),
    failed: (subtype: ResultSubtype, problems: readonly string[], status: number): number => {
      for (const text of problems) note({ kind: "error", text });
      result(resultWithoutTurn({ tally, subtype, reason: problems.join("\n"), exitStatus: status }));
      return status;
    },
  };
}
