import type { ApiContentPart, ApiMessage } from "../utils/convertMessagesForAPI.ts";
import type { RefusedImages } from "./call.ts";
import { serverText, serverWords } from "./serverWords.ts";

export const IMAGE_LEFT_OUT = "[image skipped: the model server does not accept it]";

/** Statuses of a request that the server does not understand or want: what it says about it decides. */
const ABOUT_THE_REQUEST: ReadonlySet<number | undefined> = new Set([400, 415, 422, undefined]);

const SPEAKS_OF_IMAGES = [
  /image|vision|visual|picture|multi-?modal|modalit/i,
  /(content|media|mime)[ _-]?type|data (url|uri)|base64/i,
  // Servers that take only text often complain of the list that an image needs.
  /content[^.]{0,60}\bstring\b|expected (a )?string/i,
];

/** These words leave no doubt, whatever the status: llama.cpp says them with 500, OpenRouter with 404. */
const HAS_NO_IMAGES = [
  /(image|vision|multi-?modal)[^.]{0,40}(not|n't|un)[^.]{0,20}support/i,
  /(not|n't|un)[^.]{0,20}support[^.]{0,40}(image|vision|multi-?modal)/i,
  /no endpoints? found that support image/i,
];

const NEVER_ABOUT_IMAGES: ReadonlySet<number | undefined> = new Set([401, 402, 403, 413, 429]);

/** Whether a refusal of a request that carries images is about them, so that the same without them may be taken. */
export function isAboutImages({ status, body }: { status: number | undefined; body: string }): boolean {
  if (NEVER_ABOUT_IMAGES.has(status)) return false;
  const text = serverText(body);
  const patterns = ABOUT_THE_REQUEST.has(status) ? SPEAKS_OF_IMAGES : HAS_NO_IMAGES;
  return patterns.some((pattern) => pattern.test(text));
}

/** The images that a request would bring, as far as they were not refused before. */
export function imagesIn(messages: readonly ApiMessage[], refused: RefusedImages): string[] {
  return messages.flatMap((message) =>
    partsOf(message).flatMap((part) =>
      part.type === "image_url" && !refused.has(part.image_url.url) ? [part.image_url.url] : [],
    ),
  );
}

/** The conversation with words in the place of images that were refused. Without any other image it is plain text again. */
export function withoutRefused(messages: readonly ApiMessage[], refused: RefusedImages): ApiMessage[] {
  return messages.map((message) => {
    if (message.role !== "user" || typeof message.content === "string") return message;
    const parts = message.content.map((part): ApiContentPart =>
      part.type === "image_url" && refused.has(part.image_url.url)
        ? { type: "text", text: IMAGE_LEFT_OUT }
        : part,
    );
    const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    return { role: "user", content: texts.length === parts.length ? texts.join("\n\n") : parts };
  });
}

/** For the person: what happened, and what the model gets from now on. */
export function imagesNotice(
  count: number,
  failure: { status: number | undefined; body: string },
  target: { address: string; apiKey: string | undefined },
): string {
  const words = serverWords(failure.body, target.apiKey);
  const what = count === 1 ? "an image" : `${count} images`;
  const code = failure.status === undefined ? "" : ` (status ${failure.status})`;
  const said = words === "" ? "" : `: ${words}`;
  return `The model server at ${target.address} does not accept ${what} of this conversation${code}${said}; from now on the model is told that ${count === 1 ? "it was" : "they were"} skipped.`;
}

function partsOf(message: ApiMessage): readonly ApiContentPart[] {
  return message.role === "user" && typeof message.content !== "string" ? message.content : [];
}
