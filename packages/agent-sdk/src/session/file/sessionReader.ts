import { constants, isUtf8 } from "node:buffer";
import { SessionError } from "../../errors.ts";
import { Checkpoints } from "../../messages/checkpoints.ts";
import { SessionFold } from "../../messages/foldSession.ts";
import { parseSessionLine, type ParsedLine } from "../../messages/parseSessionLine.ts";
import type { SessionRecord } from "../../messages/sessionLines.ts";
import { errorCode } from "../../utils/errorCode.ts";
import { fileLines, type FileLine } from "../../workspace/files/fileLines.ts";
import { whyUnreadable } from "../../workspace/files/plainFile.ts";
import type { LoadedSession, LoadOptions, TimedDecision } from "./loadedSession.ts";
import { sessionIdOf } from "./sessionPaths.ts";

/** Reads a session from the first line to the last. Undefined when there is no such file. Writes nothing. */
export async function readSession(file: string, options: LoadOptions): Promise<LoadedSession | undefined> {
  const reading = new SessionReading(file, options);
  try {
    for await (const lines of fileLines(file)) for (const line of lines) reading.add(line);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    const why = whyUnreadable(file) ?? (error instanceof Error ? error.message : String(error));
    throw new SessionError("unreadable", `The session file ${file} cannot be read: ${why}.`, {
      cause: error,
    });
  }
  return reading.session();
}

/** What the lines said so far. */
class SessionReading {
  readonly #file: string;
  readonly #fold = new SessionFold();
  readonly #problems = new LineProblems();
  readonly #decisions: TimedDecision[] | undefined;
  #header: Extract<SessionRecord, { type: "header" }> | undefined;
  readonly #checkpoints: Checkpoints | undefined;
  #newestMessage: string | undefined;
  #first: "nothing" | "no-header" | "header" | undefined;
  #records = 0;
  readonly #newer = new Set<string>();

  constructor(file: string, { decisions, goingBack }: LoadOptions) {
    this.#file = file;
    this.#decisions = decisions ? [] : undefined;
    this.#checkpoints = goingBack ? new Checkpoints() : undefined;
  }

  add(line: FileLine): void {
    if (line.bytes.length === 0) return;
    const parsed = parse(line);
    this.#first ??= firstIs(parsed);
    if (parsed.read === "nothing") return this.#problems.add(line, parsed.why);
    if (parsed.newer !== undefined) this.#newer.add(parsed.newer);
    if (parsed.read === "newer") {
      if (parsed.edit) this.#fold.addUnknown(`line-${line.number}`, String(parsed.edit["edit"]), parsed.edit);
      return;
    }
    if (parsed.misfit !== undefined) this.#problems.add(line, `${parsed.misfit}: it is shown as unknown`);
    const { record, ts } = parsed;
    this.#records++;
    this.#fold.add(record);
    this.#checkpoints?.add(record, ts);
    if (record.type === "header") this.#header ??= record;
    if (record.type === "edit" && record.edit.edit === "add-message")
      this.#newestMessage = record.edit.message.id;
    if (record.type === "decision")
      this.#decisions?.push({ ...record.record, ts, afterMessage: this.#newestMessage });
    if (record.type === "recovered") this.#problems.explained(line.number - 1, record.bytes);
  }

  session(): LoadedSession {
    return {
      id: this.#header?.id ?? sessionIdOf(this.#file),
      file: this.#file,
      cwd: this.#header?.cwd ?? "",
      parent: this.#header?.parent,
      messages: this.#fold.messages(),
      ...(this.#fold.cutShort && { cutShort: true }),
      usage: this.#fold.facts.usage,
      model: this.#fold.facts.model,
      rules: [...this.#fold.facts.rules],
      interrupted: this.#fold.interruptedTools(),
      problems: this.#problemsFound(),
      ...(this.#newer.size > 0 && { newer: listed([...this.#newer]) }),
      name: this.#fold.facts.name,
      ...(this.#decisions && { decisions: this.#decisions }),
      ...(this.#checkpoints && {
        goingBack: { checkpoints: this.#checkpoints, takenAway: this.#fold.takenAway() },
      }),
    };
  }

  #problemsFound(): string[] {
    if (this.#newer.size === 0) return this.#damage();
    const newer = `It was written by a newer version of Wave (${listed([...this.#newer])}): what this version does not know is kept and shown as unknown.`;
    return [newer, ...(this.#records === 0 ? [] : this.#damage())];
  }

  #damage(): string[] {
    if (this.#first === undefined) return [EMPTY];
    if (this.#records === 0) return [this.#problems.nothingRead()];
    const inLines = this.#problems.sentences();
    // A first line that cannot be read is among the lines.
    return this.#first === "no-header" && !this.#header ? [NO_HEADER, ...inLines] : inLines;
  }
}

/** Bounded: nobody wants a list of a hundred. */
function listed(all: readonly string[]): string {
  return all.length > 5 ? `${all.slice(0, 5).join(", ")}, …` : all.join(", ");
}

function firstIs(parsed: ParsedLine): "nothing" | "no-header" | "header" {
  if (parsed.read !== "record") return "nothing";
  return parsed.record.type === "header" ? "header" : "no-header";
}

function parse({ bytes, number, finished }: FileLine): ParsedLine {
  if (bytes.length > constants.MAX_STRING_LENGTH)
    return { read: "nothing", why: "is too long and was skipped" };
  // Decoding would turn damaged bytes into question marks inside a message that looks whole.
  if (!isUtf8(bytes))
    return { read: "nothing", why: finished ? "has bytes that are not UTF-8 and was skipped" : HALF };
  // Some editors put a byte order mark before the first line.
  const text = bytes.toString("utf8", number === 1 && bytes.indexOf(BOM) === 0 ? BOM.length : 0);
  const parsed = parseSessionLine(text);
  // No beginning of a JSON object is itself one: an unfinished line that can be read lacks nothing but its newline.
  return finished || parsed.read !== "nothing" ? parsed : { read: "nothing", why: HALF };
}

/** A disk that was full, or somebody's `> file`: what was there before is not known any more. */
const EMPTY = "The file is empty: nothing of an earlier session is left in it.";
/** Somebody cut the file from the front: more than the header may be gone. */
const NO_HEADER =
  "The first line, which says when and where the session began, is missing, and more may be: what is left was read.";
const BOM = Buffer.from("\u{FEFF}");
const HALF = "is half a record, because Wave was stopped while writing it; everything before it is here";

/** Bounded: a file of a million bad lines is reported in a screenful. */
class LineProblems {
  readonly #listed: string[] = [];
  #unlisted = 0;
  #last: { number: number; bytes: number } | undefined;

  add({ number, bytes }: FileLine, why: string): void {
    this.#last = { number, bytes: bytes.length };
    if (this.#listed.length < MAX_LISTED) this.#listed.push(`Line ${number} ${why}.`);
    else this.#unlisted++;
  }

  /** A line that was reported when it was the half line at the end of the file is not reported for ever. */
  explained(number: number, bytes: number): void {
    if (this.#last?.number !== number || this.#last.bytes !== bytes) return;
    if (this.#unlisted > 0) this.#unlisted--;
    else this.#listed.pop();
    this.#last = undefined;
  }

  /** A half line without a whole one before it need not be Wave's at all, and nothing before it is here. */
  nothingRead(): string {
    const [only] = this.#listed;
    const lines = this.#listed.length + this.#unlisted;
    if (lines === 1 && only !== undefined && !only.includes(HALF)) return only;
    const what = lines === 1 ? "Its only line is no" : `None of its ${lines} lines is a`;
    return `${what} record of a session, so nothing of it could be read: the file is damaged or is something else.`;
  }

  sentences(): string[] {
    if (this.#unlisted === 0) return this.#listed;
    return [...this.#listed, `${this.#unlisted} more lines could not be read and were skipped.`];
  }
}

const MAX_LISTED = 20;
