import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ImageError, OptionsError } from "@/errors.ts";
import type { ImageBlock } from "@/messages/blocks.ts";
import { inFolder, liveAgent } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

/** One grey dot. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
const bytes = Buffer.from(PNG, "base64");
const URL = `data:image/png;base64,${PNG}`;

describe("a prompt with pictures", () => {
  it("brings them to the model behind its text, keeps them in the session, and sends them again when it is resumed", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, [{ say: "a dot" }]);
    const { agent, model } = live;
    writeFileSync(join(agent.cwd, "dot.png"), bytes);
    const image = await agent.readImage("dot.png");
    await agent.sendMessage("what is @dot.png?", { images: [image] });
    const sent = [
      { type: "text", text: "what is @dot.png?" },
      { type: "image_url", image_url: { url: URL } },
    ];
    expect(model.requests[0]?.body.messages.at(-1)?.content).toEqual(sent);
    await agent.destroy();
    const options = { resume: agent.sessionId };
    await using again = await liveAgent(folder.path, [{ say: "still a dot" }], { options });
    await again.agent.sendMessage("and now?");
    expect(again.model.requests[0]?.body.messages.map(({ content }) => content)).toContainEqual(sent);
  });

  it.each<[what: string, name: string, content: Buffer, words: string]>([
    ["no picture", "a.png", Buffer.from("hello"), "is no picture: only PNG, JPEG, GIF and WebP"],
    [
      "too large",
      "a.png",
      Buffer.concat([bytes, Buffer.alloc(5 * 1024 * 1024)]),
      "is an image of 5.0 MB; at most 5 MB can be shown",
    ],
    ["cut off", "a.png", bytes.subarray(0, 20), "is not a readable PNG"],
    [
      "kept back by a deny rule",
      "secret.png",
      bytes,
      "is not shown: rule Read(secret*) in the options of this run",
    ],
  ])("is refused with a sentence when one is %s", async (_what, name, content, words) => {
    await using live = await inFolder([], { options: { permissions: { deny: ["Read(secret*)"] } } });
    writeFileSync(join(live.agent.cwd, name), content);
    const read = live.agent.readImage(name);
    await expect(read).rejects.toThrow(ImageError);
    await expect(read).rejects.toThrow(words);
  });

  it("is refused when one is not there, or is not what a program says", async () => {
    await using live = await inFolder([]);
    await expect(live.agent.readImage("dots.png")).rejects.toMatchObject({ kind: "missing" });
    const wrong: ImageBlock = { type: "image", mediaType: "image/jpeg", data: PNG };
    const sent = live.agent.sendMessage("look", { images: [wrong] });
    await expect(sent).rejects.toThrow(OptionsError);
    await expect(sent).rejects.toThrow(
      "options.images[0].data: must be the bytes of an image of type image/jpeg",
    );
    expect(live.model.requests).toEqual([]);
  });
});
