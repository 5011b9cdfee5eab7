/** How Ink takes a frame away: to its first column, and everything from there on is erased. */
// oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
const ERASED_FRAME = /(?<=\u001b\[1(?:G|;1H))\u001b\[J/g;

/** The same from the second column on, when the first row is empty already. */
const FROM_SECOND_COLUMN = "\u001b[K\u001b[2G\u001b[J\u001b[1G";

/**
 * A terminal like tmux takes a screen that is erased from its very first cell for one that somebody still wants to read, and
 * moves it into its history. A frame that reaches the top row would stay there, spinner, prompt and all.
 */
const quietErase = (written: string): string => written.replaceAll(ERASED_FRAME, FROM_SECOND_COLUMN);

/* oxlint-disable no-control-regex -- escape sequences are what is looked for */
/** How Ink goes back to where its frame begins, in order to draw over it. */
const BACK_TO_FRAME = /^(?:\u001b\[(?:\d*[ABGJK]|1;1H|\?25l))+/;
/** Says nothing about where something is drawn. */
const ONLY_MODES = /^(?:\u001b\[\?\d+[hl])*$/;
const MOVES = /^(?:\u001b\[(?:\d*[ABGJK]|\?25l))+/;
const MOVE = /\u001b\[(\d*)([ABGJK])/g;
const PANEL_SCREEN = /\u001b\[\?1049([hl])/g;
/* oxlint-enable no-control-regex */
const ERASED_BELOW = "\r\u001b[J";

/** Where Wave draws. */
export class DrawnPlace {
  /** Somebody else has written since: the frame begins where the cursor is now, and nothing above it is Wave's to erase. */
  isLost = false;
  /** A panel has the terminal's other screen. */
  isPanelScreen = false;

  written(chunk: string): string {
    for (const [, to] of chunk.matchAll(PANEL_SCREEN)) this.isPanelScreen = to === "h";
    if (!this.isLost || ONLY_MODES.test(chunk)) return chunk;
    this.isLost = false;
    return chunk.replace(BACK_TO_FRAME, ERASED_BELOW);
  }
}

const HIDE_CURSOR = "\u001b[?25l";
const ERASED_FROM_HERE = "\u001b[1G\u001b[J";

/**
 * Ink goes down to the end of its frame and from there up to its beginning. In a window that became lower the terminal has taken
 * the rows below the cursor away: the way down ends early, and the way up leads into finished text, which would be erased. The
 * sum of both leads to the beginning from wherever the cursor is.
 */
export function asOneMove(chunk: string): string {
  const [moves = ""] = MOVES.exec(chunk) ?? [];
  if (moves === "") return chunk;
  let up = 0;
  let column: string | undefined;
  let erases = false;
  for (const [, count = "", kind] of moves.matchAll(MOVE)) {
    if (kind === "A") up += Number(count || 1);
    else if (kind === "B") up -= Number(count || 1);
    else if (kind === "G") column = `\u001b[${count}G`;
    else erases = true;
  }
  const hides = moves.includes(HIDE_CURSOR) ? HIDE_CURSOR : "";
  const vertical = up > 0 ? `\u001b[${up}A` : up < 0 ? `\u001b[${-up}B` : "";
  return hides + vertical + (erases ? ERASED_FROM_HERE : (column ?? "")) + chunk.slice(moves.length);
}

type Listener = (...args: unknown[]) => void;

/** The terminal as Ink gets it: erased frames do not get into the history, and a new size is drawn when it is laid out. */
export function inkTerminal(stdout: NodeJS.WriteStream, place = new DrawnPlace()): NodeJS.WriteStream {
  const write = (chunk: string | Uint8Array, ...rest: []) =>
    stdout.write(typeof chunk === "string" ? quietErase(asOneMove(place.written(chunk))) : chunk, ...rest);
  const late = drawnLate(stdout);
  return new Proxy(stdout, {
    get(target, key) {
      if (key === "write") return write;
      if (key === "on" || key === "off") return late[key];
      const value: unknown = Reflect.get(target, key, target);
      // Streams keep private fields: a method has to be called on the stream itself.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/**
 * The first who listens for a new size is Ink. It would draw at once what was laid out for the old one, which a smaller window
 * has no room for: the rest would stay in the scrollback. The components, who listen after it, lay out anew first.
 */
function drawnLate(stdout: NodeJS.WriteStream) {
  let first: { listener: Listener; late: Listener } | undefined;
  const lateOf = (event: string, listener: Listener): Listener => {
    if (event !== "resize") return listener;
    // React draws in the next turn of the loop, so the one after it is the first that has the new layout.
    first ??= { listener, late: () => setImmediate(() => setImmediate(listener)) };
    return first.listener === listener ? first.late : listener;
  };
  return {
    on: (event: string, listener: Listener) => stdout.on(event, lateOf(event, listener)),
    off: (event: string, listener: Listener) => stdout.off(event, lateOf(event, listener)),
  };
}
