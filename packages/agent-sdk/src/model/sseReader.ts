/**
 * Server-sent events, one piece of text at a time. Gives the data of each finished event: pieces may end anywhere, also
 * between CR and LF, and lines of `data:` belong together until a blank line.
 */
export class SseReader {
  #rest = "";
  #data: string[] = [];
  #sawCarriageReturn = false;
  #other = "";

  /** The beginning of what belongs to no event: an error page, or the complaint of a server on the way. */
  get other(): string {
    return this.#other.trim();
  }

  push(text: string): string[] {
    const events: string[] = [];
    for (const line of this.#lines(text)) {
      if (line === "") this.#finish(events);
      else this.#field(line);
    }
    return events;
  }

  /** The stream ended. Servers leave out the last blank line; an event that is whole otherwise still counts. */
  end(): string[] {
    const events: string[] = [];
    if (this.#rest !== "") this.#field(this.#rest);
    this.#rest = "";
    this.#finish(events);
    return events;
  }

  *#lines(text: string): Generator<string> {
    let input = text;
    // The LF of a CRLF whose CR ended the last piece: counted again, it would be a blank line and end the event.
    if (this.#sawCarriageReturn && input.startsWith("\n")) input = input.slice(1);
    if (text !== "") this.#sawCarriageReturn = text.endsWith("\r");
    const lines = (this.#rest + input).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? "";
    yield* lines;
  }

  #field(line: string): void {
    if (!line.startsWith("data:")) {
      // A comment, a ping, or a field that chat completions have no use for; or no stream of events at all.
      if (!FIELD.test(line) && this.#other.length < LONGEST_OTHER) this.#other += `${line}\n`;
      return;
    }
    this.#data.push(line.startsWith("data: ") ? line.slice(6) : line.slice(5));
  }

  #finish(events: string[]): void {
    if (this.#data.length > 0) events.push(this.#data.join("\n"));
    this.#data = [];
  }
}

const FIELD = /^(:|(event|id|retry)(:|$))/;
const LONGEST_OTHER = 4_000;
