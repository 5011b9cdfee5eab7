import type { Block, Message, Origin } from "wave-agent-sdk";
import { hookOrigin } from "../utils/hookOrigin.ts";
import type { Tail } from "./liveOutput.ts";
import type { WelcomeFacts } from "./welcome.ts";

/** Something the user should know that belongs to no message. */
export interface NoticeBlock {
  readonly type: "notice";
  readonly level: "info" | "warning" | "error";
  readonly content: string;
}

/** What stands once at the beginning of a session. */
export interface WelcomeBlock {
  readonly type: "welcome";
  readonly facts: WelcomeFacts;
}

/** A place in the session: what stands above it and below it do not belong together. */
export interface MarkBlock {
  readonly type: "mark";
  readonly content: string;
}

/** What an error of a hook means: it held something back, it said a word, or it broke. */
export type HookSpeech = "blocked" | "said" | "failed";

/** One thing on the screen: a block of a message, or a notice. */
export interface Item {
  /** The same for as long as the session lasts. */
  readonly id: string;
  readonly role: Message["role"];
  readonly block: Block | NoticeBlock | WelcomeBlock | MarkBlock;
  /** Which hook wrote the message, when no person did. */
  readonly origin?: Origin;
  readonly speech?: HookSpeech;
  /** A blank line stands before it. */
  readonly spaced: boolean;
  /** Only of a call that runs. */
  readonly running?: Running;
}

export interface Running {
  /** In milliseconds, on the clock of whoever hands the events over. */
  readonly since: number;
  readonly output: Tail;
}

/** What may still change, beside tools that have not ended. */
export interface Activity {
  /** The message whose text grows. */
  readonly streamingId?: string | undefined;
  /** The prompt that its hooks have not let pass. */
  readonly heldId?: string | undefined;
}

/**
 * Finished is what cannot change any more and has nothing unfinished before it: it is printed once, in this order.
 * Everything behind the first thing that may change is live.
 */
export function splitTranscript(
  messages: readonly Message[],
  activity: Activity = {},
): { finished: Item[]; live: Item[] } {
  const finished: Item[] = [];
  const live: Item[] = [];
  let previous: Item | undefined;
  for (const message of messages) {
    for (const [index, block] of message.blocks.entries()) {
      if (!isVisible(block)) continue;
      const item = itemOf(message, index, block, previous);
      if (live.length === 0 && isFinished(message.id, block, activity)) finished.push(item);
      else live.push(item);
      previous = item;
    }
  }
  return { finished, live };
}

export function isFinished(messageId: string, block: Block, { streamingId, heldId }: Activity): boolean {
  if (messageId === streamingId || messageId === heldId) return false;
  return block.type !== "tool" || block.stage === "ended";
}

/** An answer may begin with blanks and nothing else; that is no reason for an empty place on the screen. */
export function isVisible(block: Block): boolean {
  return (block.type !== "text" && block.type !== "reasoning") || block.content.trim() !== "";
}

export function itemOf(message: Message, index: number, block: Block, previous: Item | undefined): Item {
  const { id, role } = message;
  const origin = hookOrigin(message);
  return {
    id: `${id}:${index}`,
    role,
    block,
    ...(origin ? { origin } : {}),
    // A command that a person ran begins something, like a prompt.
    spaced: block.type === "tool" && role === "user" ? previous !== undefined : isSpaced(previous, block),
  };
}

/** Calls, and what is said about them, stand together; everything else has air around it. */
export function isSpaced(previous: Item | undefined, block: Item["block"]): boolean {
  if (previous === undefined) return false;
  const afterCall = previous.block.type === "tool" && previous.role === "assistant";
  if (block.type === "tool") return !afterCall;
  if (!SAID_ALONGSIDE.has(block.type)) return true;
  return !afterCall && !SAID_ALONGSIDE.has(previous.block.type);
}

const SAID_ALONGSIDE: ReadonlySet<Item["block"]["type"]> = new Set(["error", "warn", "notice"]);
