import { describe, expect, it } from "vitest";
import { callAgent } from "@/services/aiService.ts";
import { IMAGE_LEFT_OUT, isAboutImages, withoutRefused } from "@/model/refusedImages.ts";
import { startScriptedModel } from "@/testing/index.ts";
import type { ApiMessage } from "@/utils/convertMessagesForAPI.ts";
import { modelFailure, modelRequest } from "../support/modelRequest.ts";

const body = (message: string) => JSON.stringify({ error: { message } });

describe("a refusal is about images", () => {
  it.each([
    [400, "Invalid image"],
    [400, "messages[1]: unknown variant `image_url`, expected `text`"],
    [400, "Invalid type for 'messages[1].content': expected a string"],
    [400, "this model has no vision"],
    [415, "unsupported content type"],
    [422, "multimodal input is off"],
    [undefined, "failed to decode image bytes"],
    [500, "image input is not supported - hint: if this is unexpected, provide the mmproj"],
    [404, "No endpoints found that support image input"],
  ])("when the server says, with status %s: %s", (status, message) => {
    expect(isAboutImages({ status, body: body(message) })).toBe(true);
  });

  it.each([
    [400, "unknown parameter: temperature"],
    [401, "no key for the image service"],
    [429, "too many images per minute"],
    [500, "the image of the container does not start"],
  ])("and is not when it says, with status %s: %s", (status, message) => {
    expect(isAboutImages({ status, body: body(message) })).toBe(false);
  });
});

const image = (name: string) => ({
  type: "image_url" as const,
  image_url: { url: `data:image/png;base64,${name}` },
});
const withImages = (...names: string[]): ApiMessage => ({ role: "user", content: names.map(image) });

describe("an image that the server refused", () => {
  it("is replaced by words, and a message without another image is plain text", () => {
    const refused = new Set([image("bad").image_url.url]);
    const left = { type: "text", text: IMAGE_LEFT_OUT };
    expect(withoutRefused([withImages("bad"), withImages("bad", "good")], refused)).toEqual([
      { role: "user", content: IMAGE_LEFT_OUT },
      { role: "user", content: [left, image("good")] },
    ]);
  });

  it("is left out from then on, which the person is told once, and an image that comes later is tried", async () => {
    await using model = await startScriptedModel(({ text }) =>
      text.includes("base64,bad") ? { status: 400, body: body("Invalid image") } : { say: "fine" },
    );
    const notices: string[] = [];
    const options = {
      promptCache: new Map<string, string>(),
      onNotice: (text: string) => void notices.push(text),
    };
    const ask = (...messages: ApiMessage[]) => callAgent(modelRequest(model, { ...options, messages }));
    expect((await ask(withImages("bad"))).content).toBe("fine");
    expect((await ask(withImages("bad"), withImages("good"))).content).toBe("fine");
    expect(model.requests.map(({ text }) => /base64,\w+/.exec(text)?.[0])).toEqual([
      "base64,bad",
      undefined,
      "base64,good",
    ]);
    expect(model.requests.at(-1)?.text).toContain(IMAGE_LEFT_OUT);
    expect(notices).toEqual([
      `The model server at ${model.baseUrl} does not accept an image of this conversation (status 400): Invalid image; from now on the model is told that it was skipped.`,
    ]);
  });

  it("costs one more request, also when the server then refuses the rest", async () => {
    await using model = await startScriptedModel(() => ({ status: 400, body: body("Invalid image") }));
    expect(
      await modelFailure(callAgent(modelRequest(model, { messages: [withImages("a", "b")] }))),
    ).toMatchObject({
      kind: "bad-request",
      message: expect.stringContaining("Invalid image"),
    });
    expect(model.requests).toHaveLength(2);
  });
});
