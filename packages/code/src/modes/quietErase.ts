/** How Ink takes a frame away: to its first column, and everything from there on is erased. */
// oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
const ERASED_FRAME = /(?<=\u001b\[1(?:G|;1H))\u001b\[J/g;

/** The same from the second column on, when the first row is empty already. */
const FROM_SECOND_COLUMN = "\u001b[K\u001b[2G\u001b[J\u001b[1G";

/**
 * A terminal like tmux takes a screen that is erased from its very first cell for one that somebody still wants to read, and
 * moves it into its history. A frame that reaches the top row would stay there, spinner, prompt and all.
 */
export const quietErase = (written: string): string => written.replaceAll(ERASED_FRAME, FROM_SECOND_COLUMN);

/** The terminal, for Ink: no frame that it takes away is left in the history. */
export function erasingQuietly(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = (chunk: string | Uint8Array, ...rest: []) =>
    stdout.write(typeof chunk === "string" ? quietErase(chunk) : chunk, ...rest);
  return new Proxy(stdout, {
    get(target, key) {
      if (key === "write") return write;
      const value: unknown = Reflect.get(target, key, target);
      // Streams keep private fields: a method has to be called on the stream itself.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
