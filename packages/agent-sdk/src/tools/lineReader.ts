/** Which lines to keep, and how much of them. */
export interface LineWindow {
  /** Counted from 1. */
  first: number;
  count: number;
  lineLength: number;
  /** Of all kept lines together. */
  characters: number;
}

export interface KeptLine {
  text: string;
  /** Characters of the whole line; more than `text` has when it was cut. */
  length: number;
}

/**
 * Counts all lines of a text that arrives in pieces and keeps those of one window. Holds no more than the window, so a
 * log of gigabytes, or a line of gigabytes, can be looked into.
 */
export class LineReader {
  readonly kept: KeptLine[] = [];
  readonly #window: LineWindow;
  #finishedLines = 0;
  #keptCharacters = 0;
  #line: KeptLine = { text: "", length: 0 };

  constructor(window: LineWindow) {
    this.#window = window;
  }

  get totalLines(): number {
    return this.#finishedLines;
  }

  push(text: string): void {
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      this.#extend(text.slice(from, at));
      this.#endLine();
      from = at + 1;
    }
    this.#extend(text.slice(from));
  }

  /** A last line without a line end is a line, too. */
  end(): void {
    if (this.#line.length > 0) this.#endLine();
  }

  #extend(piece: string): void {
    if (this.#wanted()) this.#line.text += piece.slice(0, this.#window.lineLength - this.#line.text.length);
    this.#line.length += piece.length;
  }

  #endLine(): void {
    const { text, length } = this.#line;
    if (this.#wanted()) {
      const whole = text.length === length && text.endsWith("\r");
      this.kept.push(
        whole ? { text: text.slice(0, -1), length: length - 1 } : { text: text.toWellFormed(), length },
      );
      this.#keptCharacters += text.length;
    }
    this.#finishedLines++;
    this.#line = { text: "", length: 0 };
  }

  #wanted(): boolean {
    return (
      this.#finishedLines + 1 >= this.#window.first &&
      this.kept.length < this.#window.count &&
      this.#keptCharacters < this.#window.characters
    );
  }
}
