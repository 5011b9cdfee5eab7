import type { Block, Message, SummaryBlock, UnknownBlock, Usage } from "./blocks.ts";

/** What the model still gets of a conversation: from the newest summary that counts, with what the summary keeps. */
export function contextOf(messages: readonly Message[]): Message[] {
  const at = messages.findLastIndex((message) => summaryOf(message) !== undefined);
  const newest = messages[at];
  const summary = newest && summaryOf(newest);
  if (!newest || !summary) return [...messages];
  const kept = new Set(summary.keeps);
  const after = messages.slice(at + 1);
  const saidAgain = new Set(after.flatMap(({ blocks }) => blocks.filter(isSaidAgain).map(speakerOf)));
  // A SessionStart hook that was asked again after the compaction does not stand twice, with old words and new ones.
  const stands = (message: Message) =>
    !isStanding(message) || !message.blocks.some((block) => saidAgain.has(speakerOf(block)));
  return [newest, ...messages.slice(0, at).filter((one) => kept.has(one.id) && stands(one)), ...after];
}

/** The message of the compaction that an undo takes back. */
export function newestSummary(messages: readonly Message[]): Message | undefined {
  return messages.findLast((message) => summaryOf(message) !== undefined);
}

export function summaryOf({ blocks }: Message): SummaryBlock | undefined {
  return blocks.find((block): block is SummaryBlock => block.type === "summary" && block.undone !== true);
}

/** Tokens of the last request and its answer, where the messages tell them; otherwise about how many, where that can be said. */
export interface MeasuredContext {
  tokens: number | undefined;
  estimate: number | undefined;
}

/** Of text that nobody has counted yet: few languages have fewer characters to a token. */
const CHARS_PER_TOKEN = 4;

/**
 * How full the context is after these messages. An answer tells it, unless a compaction was made or taken back since: then what
 * was counted at the compaction does, with a guess at what was said after it.
 */
export function measuredContext(messages: readonly Message[]): MeasuredContext {
  const at = messages.findLastIndex(({ blocks }) => blocks.some(({ type }) => type === "summary"));
  const since = messages.slice(at + 1);
  const tokens = tokensOf(since.findLast(({ usage }) => usage !== undefined)?.usage);
  const summary = messages[at]?.blocks.find((block): block is SummaryBlock => block.type === "summary");
  if (!summary) return { tokens, estimate: undefined };
  const counted = summary.undone ? summary.tokensBefore : summary.tokensAfter;
  // An answer from before the summary was taken back was given to less than there is again.
  const isTold = tokens !== undefined && (!summary.undone || counted === undefined || tokens >= counted);
  if (isTold) return { tokens, estimate: undefined };
  return {
    tokens: undefined,
    estimate: counted === undefined ? undefined : counted + Math.round(sizeOf(since) / CHARS_PER_TOKEN),
  };
}

const tokensOf = (usage: Usage | undefined) => usage && usage.inputTokens + usage.outputTokens;

export interface CompactionPlan {
  /** What the model sums up: all it would have been sent. */
  context: Message[];
  /** What stays word for word, by id. */
  keeps: string[];
  covers: number;
}

/** More of the last turn would leave too little room for what comes. */
const KEPT_SHARE = 0.2;

/**
 * What a compaction sums up and what it leaves as it is: what SessionStart hooks told the model, everything the person
 * asked for in the last turn, and as much of the end of that turn as is small. A call and its result are one message,
 * so they stay together whatever is kept. Undefined: there is nothing to sum up.
 */
export function planCompaction(messages: readonly Message[]): CompactionPlan | undefined {
  const context = contextOf(messages);
  const turnStart = Math.max(0, context.findLastIndex(beginsTurn));
  const smallEnd = context.length - lengthOfSmallEnd(context.slice(turnStart), KEPT_SHARE * sizeOf(context));
  const keeps = context.filter((message, index) => {
    if (summaryOf(message)) return false;
    return isStanding(message) || (index >= turnStart && isTyped(message)) || index >= smallEnd;
  });
  const gone = context.filter((message) => !keeps.includes(message));
  if (gone.every((message) => summaryOf(message) !== undefined || sizeOf([message]) === 0)) return undefined;
  return { context, keeps: keeps.map(({ id }) => id), covers: gone.length };
}

/** Characters that go to the model. */
export function sizeOf(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, { blocks }) => sum + blocks.reduce((size, block) => size + weight(block), 0),
    0,
  );
}

/** How many of the last messages are together no larger than this. */
function lengthOfSmallEnd(messages: readonly Message[], limit: number): number {
  let size = 0;
  const large = messages.findLastIndex((message) => (size += sizeOf([message])) > limit);
  return messages.length - large - 1;
}

/** What a person wrote: no hook's message, and not an image that a tool brought. */
export const isTyped = ({ role, origin, blocks }: Message) =>
  role === "user" && origin === undefined && blocks.some(({ type }) => type === "text");

/** A prompt: not what the person said while a turn was under way. */
export const beginsTurn = (message: Message) => isTyped(message) && message.steered !== true;

/** What SessionStart hooks told the model. */
export const isStanding = ({ role, blocks }: Message) =>
  role === "user" && blocks.some((block) => block.type === "hook" && block.hookEvent === "SessionStart");

const isSaidAgain = (block: Block) => block.type === "hook" && block.metadata?.["again"] === true;

const speakerOf = (block: Block) =>
  block.type === "hook" ? JSON.stringify([block.metadata?.["hook"], block.metadata?.["source"]]) : undefined;

/** About what a model server counts for a picture, in characters of text. */
const IMAGE_WEIGHT = 4_000;

/** The model is told that something is there, in its place. */
export const unknownText = ({ name }: UnknownBlock) =>
  `[left out: something that this version of Wave does not know (${name})]`;

function weight(block: Block): number {
  return ownWeight(block) + vendorWeight("vendorData" in block ? block : undefined);
}

/** What goes back to the server that gave it; a switch of the model makes it less, which is no harm to a guess. */
function vendorWeight(block: Extract<Block, { vendorData?: unknown }> | undefined): number {
  if (block?.vendorData === undefined) return 0;
  const { fields, textField } = block.vendorData;
  const text = block.type === "reasoning" && textField !== undefined ? block.content.length : 0;
  return text + (fields ? JSON.stringify(fields).length : 0);
}

function ownWeight(block: Block): number {
  switch (block.type) {
    case "text":
    case "hook":
      return block.content.length;
    case "summary":
      return block.undone ? 0 : block.content.length;
    case "tool":
      return block.parameters.length + (block.result?.length ?? 0);
    case "image":
      return IMAGE_WEIGHT;
    case "unknown":
      return unknownText(block).length;
    default:
      // Errors and warnings are not sent, and reasoning only to a server that wants it back.
      return 0;
  }
}
