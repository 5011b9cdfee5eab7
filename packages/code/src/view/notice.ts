import type { ErrorBlock, Origin, UnknownBlock } from "wave-agent-sdk";
import type { Tone } from "../theme.ts";
import { printableLine } from "../utils/printable.ts";
import { shortenPaths } from "../utils/shortPath.ts";
import type { Item } from "./items.ts";
import { screenText } from "./screenText.ts";

/** Who says something beside the conversation, and what. Sign, colour and word say the same. */
export interface Notice {
  sign: string;
  tone: Tone;
  /** "blocked by hook lint (PreToolUse, .wave/settings.json)" */
  heading: string;
  text: string;
  /** Rows of the text that are shown folded: a person reads all of an error, and the beginning of what a model is told. */
  folded: number;
}

const FOR_THE_USER = 40;
const FOR_THE_MODEL = 6;

/** Undefined for what is part of the conversation itself. */
export function noticeOf(item: Item, folder: string): Notice | undefined {
  const { block } = item;
  switch (block.type) {
    case "error":
      if (block.failure) return failureNotice(block.failure.message, block.content, folder);
      return { ...errorLook(block, item, folder), text: textOf(block.content, folder), folded: FOR_THE_USER };
    case "warn": {
      const heading = block.origin ? `warning from ${speakerOf(block.origin, folder)}` : "warning";
      const text = textOf(block.content, folder);
      return { sign: "!", tone: "warning", heading, text, folded: FOR_THE_USER };
    }
    case "hook": {
      const { hook, source } = block.metadata ?? {};
      const origin = {
        hookEvent: block.hookEvent,
        hook: typeof hook === "string" ? hook : "",
        source: typeof source === "string" ? source : "",
      };
      return toldModel(origin, block.content, folder);
    }
    case "unknown":
      return {
        ...LEVELS.warning,
        heading: "unknown",
        text: textOf(unknownWords(block), folder),
        folded: FOR_THE_USER,
      };
    case "notice":
      return { ...LEVELS[block.level], text: textOf(block.content, folder), folded: FOR_THE_USER };
    case "text":
      return item.origin && toldModel(item.origin, block.content, folder);
    default:
      return undefined;
  }
}

/** Of a session that a newer version of Wave wrote. */
export const unknownWords = ({ name }: UnknownBlock): string =>
  `something that this version of Wave does not know (${name}); it is kept in the session`;

const LEVELS = {
  error: { sign: "✗", tone: "danger", heading: "error" },
  warning: { sign: "!", tone: "warning", heading: "warning" },
  info: { sign: "i", tone: "accent", heading: "note" },
} as const;

function errorLook(
  { origin }: ErrorBlock,
  { speech }: Item,
  folder: string,
): Pick<Notice, "sign" | "tone" | "heading"> {
  if (!origin) return LEVELS.error;
  const hook = speakerOf(origin, folder);
  // A block is what the hook is for; only a hook that broke is an error.
  if (speech === "blocked") return { sign: "⊘", tone: "hook", heading: `blocked by ${hook}` };
  if (speech === "failed") return { sign: "✗", tone: "danger", heading: `hook failed: ${hook}` };
  return { sign: "◆", tone: "hook", heading: `${hook} says` };
}

/** The message names the hook and has the first line of what it wrote; below it is room for all of it. */
function failureNotice(message: string, written: string, folder: string): Notice {
  const said = message.replace(/^hook failed: /, "");
  const text = written === message || !written.trim().includes("\n") ? said : `${said}\n${written}`;
  return {
    sign: "✗",
    tone: "danger",
    heading: "hook failed",
    text: textOf(text, folder),
    folded: FOR_THE_USER,
  };
}

function toldModel(origin: Origin, content: string, folder: string): Notice {
  const heading = `${speakerOf(origin, folder)} tells the model`;
  return { sign: "◆", tone: "hook", heading, text: textOf(content, folder), folded: FOR_THE_MODEL };
}

const textOf = (content: string, folder: string) => screenText(shortenPaths(content.trim(), folder));

/** "hook lint (PreToolUse, .wave/settings.json)" */
function speakerOf({ hook, hookEvent, source }: Origin, folder: string): string {
  const place = [hookEvent, shortenPaths(source, folder)].filter((part) => part !== "").join(", ");
  return printableLine(`${hook === "" ? "a hook" : `hook ${hook}`}${place === "" ? "" : ` (${place})`}`);
}
