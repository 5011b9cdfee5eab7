import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ImageBlock } from "wave-agent-sdk";

/** What an editor sends as a prompt, as Wave takes one: a text, and pictures. Pure. */
export function promptOf(blocks: readonly ContentBlock[]): { text: string; images: ImageBlock[] } {
  const texts: string[] = [];
  const images: ImageBlock[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        texts.push(block.text);
        break;
      case "image":
        images.push({ type: "image", mediaType: block.mimeType, data: block.data });
        break;
      case "resource_link":
        texts.push(`@${pathOf(block.uri)}`);
        break;
      case "resource":
        texts.push(
          "text" in block.resource
            ? `Content of ${pathOf(block.resource.uri)}:\n${block.resource.text}`
            : `(${pathOf(block.resource.uri)} is no text, and was left out.)`,
        );
        break;
      default:
        // Not announced in `initialize`; said in the place where it would have stood.
        texts.push(`(Something of the kind ${block.type} was left out.)`);
    }
  }
  return { text: texts.join("\n\n"), images };
}

/** Editors name files by address. */
const pathOf = (uri: string): string =>
  uri.startsWith("file://") ? decodeURIComponent(uri.slice("file://".length)) : uri;
