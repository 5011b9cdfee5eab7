import type { ContentBlock } from "@modelcontextprotocol/client";
import type { ImageBlock } from "../../messages/blocks.ts";
import { headAndTailOfCharacters } from "../../utils/headAndTail.ts";
import { readableText } from "../../utils/readable.ts";
import { MAX_OUTPUT_CHARACTERS } from "../commandOutput.ts";

const LARGEST_IMAGE = 5 * 1024 * 1024;

/** What a server sent, as the model reads it. */
export function contentText(part: ContentBlock): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
      return `[an image, ${part.mimeType}]`;
    case "audio":
      return `[a sound, ${part.mimeType}, which Wave does not pass on]`;
    case "resource_link":
      return `[${part.name}: ${part.uri}]`;
    case "resource":
      return "text" in part.resource ? part.resource.text : `[${part.resource.uri}, which is no text]`;
  }
}

export const imagesIn = (content: readonly ContentBlock[]): ImageBlock[] =>
  content.flatMap((part) => (part.type === "image" ? imageOf(part) : []));

export const imageOf = ({ mimeType, data }: { mimeType: string; data: string }): ImageBlock[] =>
  data.length <= LARGEST_IMAGE && /^image\/(png|jpeg|gif|webp)$/.test(mimeType)
    ? [{ type: "image", mediaType: mimeType, data }]
    : [];

/** Cut like the output of any tool, and without what a terminal or a model would take for a sign. */
export const boundedText = (texts: readonly string[]): string =>
  headAndTailOfCharacters(readableText(texts.filter((text) => text !== "").join("\n")), MAX_OUTPUT_CHARACTERS)
    .text;
