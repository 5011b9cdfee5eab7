import { describe, expect, it } from "vitest";
import type { Block } from "@/messages/blocks.ts";
import { blocksOf } from "@/model/answer.ts";
import { callAgent } from "@/services/aiService.ts";
import { startScriptedModel } from "@/testing/index.ts";
import { convertMessagesForAPI } from "@/utils/convertMessagesForAPI.ts";
import { modelRequest } from "../../../support/modelRequest.ts";

describe("a model behind Anthropic Messages", () => {
  it("answers, and gets its reasoning back as it was", async () => {
    const calls = [
      { name: "LS", arguments: { path: "." } },
      { name: "LS", arguments: {} },
    ];
    await using model = await startScriptedModel([
      { think: "hm hm", say: "hello you", calls },
      { say: "done" },
    ]);
    const env = { ANTHROPIC_API_KEY: "sk-ant-1234567890", ANTHROPIC_BASE_URL: model.baseUrl };
    const request = modelRequest({ baseUrl: "", apiKey: "", model: "claude-x", env });
    const answer = await callAgent(request);
    expect(answer).toMatchObject({ content: "hello you", reasoning: "hm hm", finish_reason: "tool_calls" });
    const blocks = blocksOf(answer, answer.tool_calls ?? []).map((block): Block =>
      block.type === "tool" ? { ...block, stage: "ended", result: "fine" } : block,
    );
    const said = convertMessagesForAPI([{ id: "1", role: "assistant", blocks }]);
    await callAgent({ ...request, messages: [...request.messages, ...said] });
    expect(model.requests.map(({ wire, problems }) => [wire, problems])).toEqual([
      ["anthropic-messages", []],
      ["anthropic-messages", []],
    ]);
    expect(model.requests[1]?.text).toContain("seal-0-");
  });
});
