import type { Block, Message } from "wave-agent-sdk";
import type { Paint } from "../../output/paint.ts";
import { hookOrigin } from "../../utils/hookOrigin.ts";
import { printable, printableLine } from "../../utils/printable.ts";
import { unknownWords } from "../../view/notice.ts";

/** One message, each block under the name of who speaks; `whose` stands before it in that of a sub-agent. */
export function transcript(message: Message, paint: Paint, whose = ""): string {
  return message.blocks
    .filter((block) => block.type !== "reasoning" || block.content !== "")
    .map((block) => {
      const { who, text } = spoken(message, block);
      return `\n${paint(message.role === "user" ? "green" : "cyan", printableLine(whose + who))}\n${indent(printable(text))}\n`;
    })
    .join("");
}

function spoken(message: Message, block: Block): { who: string; text: string } {
  const origin = hookOrigin(message);
  const author = origin
    ? `hook ${origin.hook} (${origin.hookEvent})`
    : message.role === "user"
      ? "you"
      : "model";
  switch (block.type) {
    case "text":
      return { who: author, text: block.content };
    case "reasoning":
      return { who: `${author}, thinking`, text: block.content };
    case "tool": {
      const input = block.input ? `\nran with: ${JSON.stringify(block.input)}` : "";
      const result = block.result === undefined ? "(no result)" : block.result;
      const ranBy = message.role === "user" ? "you ran " : "";
      return {
        who: `${ranBy}${block.name} (${block.id})${block.success === false ? `, ${block.error ?? "failed"}` : ""}`,
        text: `${block.parameters}${input}\n${result}`,
      };
    }
    case "image":
      return { who: author, text: `(image, ${block.mediaType}${block.path ? `, ${block.path}` : ""})` };
    case "summary":
      return {
        who: `summary of ${block.covers} messages${block.undone ? ", taken back" : ""}`,
        text: block.content,
      };
    case "unknown":
      return { who: "unknown", text: unknownWords(block) };
    case "error":
      return { who: block.origin ? `error, hook ${block.origin.hook}` : "error", text: block.content };
    case "warn":
      return { who: block.origin ? `warning, hook ${block.origin.hook}` : "warning", text: block.content };
    case "hook": {
      const hook = block.metadata?.["hook"];
      return {
        who: `hook ${typeof hook === "string" ? hook : ""} (${block.hookEvent})`,
        text: block.content,
      };
    }
  }
}

const indent = (text: string) =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : `  ${line}`))
    .join("\n");
