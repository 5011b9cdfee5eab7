import { describe, expect, it } from "vitest";
import { PRICES_AS_OF } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { resultSchema } from "../../src/output/schema.ts";
import { makeProject } from "../support/project.ts";
import { runWave } from "../support/runWave.ts";

describe("wave with nothing set but the key of a provider", () => {
  it("speaks to that provider, keeps its key to itself, and says what it cost", async () => {
    using project = makeProject();
    const usage = { input: 50_000, output: 1_000, cached: 20_000 };
    await using model = await startScriptedModel([
      { call: { name: "Bash", arguments: { command: "env" } }, usage },
      { say: "Done.", usage },
    ]);
    const key = "sk-ant-0123456789-secret";
    const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: model.baseUrl, OPENROUTER_API_KEY: "" };
    const args = ["-p", "--output-format", "json", "--allowed-tools", "Bash(env)", "go"];
    const run = await runWave(args, { project, env });
    expect(run).toMatchObject({ status: 0, stderr: expect.stringContaining("claude-sonnet-5-5") });
    expect(resultSchema.parse(JSON.parse(run.stdout))).toMatchObject({
      result: "Done.",
      usage: { input_tokens: 100_000, output_tokens: 2_000, cached_input_tokens: 40_000 },
      total_cost_usd: 0.144,
      prices_as_of: PRICES_AS_OF,
    });
    expect(model.requests.map(({ wire, headers }) => [wire, headers["x-api-key"]])).toEqual([
      ["anthropic-messages", key],
      ["anthropic-messages", key],
    ]);
    expect(model.requests[1]?.text).toContain("WAVE_HOME=");
    expect(model.requests[1]?.text).not.toContain(key);
  });

  it("says which key is set and of no use, when it is another's", async () => {
    using project = makeProject();
    const env = { ANTHROPIC_API_KEY: "sk-ant-0123456789", WAVE_MODEL: "openai/gpt-5.4" };
    const run = await runWave(["-p", "go"], { project, env });
    expect(run).toMatchObject({ status: 1, stdout: "" });
    expect(run.stderr).toContain("ANTHROPIC_API_KEY is set, and is Anthropic's");
  });
});
