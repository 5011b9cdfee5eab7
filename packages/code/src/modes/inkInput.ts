/** What a terminal reports of its window: whether it has the keyboard. */
// oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
const FOCUS = /\u001b\[([IO])/g;

/** The keyboard as Ink gets it. Ink passes over what a terminal reports of its window, so it is read here. */
export function inkInput(
  stdin: NodeJS.ReadStream,
  onFocus: (change: "gained" | "lost") => void,
): NodeJS.ReadStream {
  const read = (size?: number): unknown => {
    const chunk: unknown = stdin.read(size);
    if (typeof chunk === "string")
      for (const [, sign] of chunk.matchAll(FOCUS)) onFocus(sign === "I" ? "gained" : "lost");
    return chunk;
  };
  return new Proxy(stdin, {
    get(target, key) {
      if (key === "read") return read;
      const value: unknown = Reflect.get(target, key, target);
      // Streams keep private fields: a method has to be called on the stream itself.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
