import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import { startScriptedModel } from "@/testing/index.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { WIRE_KEY } from "../support/wires.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const MODELS = ["anthropic/claude-a", "openai/gpt-b", "google/gemini-c", "lab/any-d"];

describe("another model in the middle of a session", () => {
  it("gets the whole conversation over its own wire, and the person is told what stays behind", async () => {
    using folder = tempFolder();
    const [workdir, home] = [join(folder.path, "project"), join(folder.path, "home")];
    mkdirSync(workdir);
    mkdirSync(home);
    writeFileSync(join(workdir, "pixel.png"), Buffer.from(PIXEL, "base64"));
    const calls = [
      { name: "LS", arguments: { path: "." } },
      { name: "Read", arguments: { file_path: "pixel.png" } },
    ];
    const turn = (n: number) => [
      { think: `Thought ${n}.`, say: `Looking ${n}.`, calls },
      { think: `Afterthought ${n}.`, say: `Seen ${n}.` },
    ];
    await using server = await startScriptedModel([...MODELS, MODELS[0]].flatMap((_, n) => turn(n)));
    const root = server.baseUrl.replace(/\/v1$/, "");
    const providers = { openai: { baseUrl: server.baseUrl }, lab: { baseUrl: server.baseUrl } };
    writeFileSync(join(home, "settings.json"), JSON.stringify({ providers }));
    const notices: string[] = [];
    const agent = await Agent.create({
      workdir,
      waveHome: home,
      trust: "given",
      managedSettingsFile: join(home, "none.json"),
      permissionMode: "bypassPermissions",
      model: MODELS[0] ?? "",
      env: {
        ANTHROPIC_API_KEY: WIRE_KEY,
        ANTHROPIC_BASE_URL: root,
        OPENAI_API_KEY: WIRE_KEY,
        GEMINI_API_KEY: WIRE_KEY,
        GOOGLE_GEMINI_BASE_URL: root,
      },
      onEvent: (event) => event.type === "notice" && notices.push(event.text),
    });
    for (const [n, model] of [...MODELS, MODELS[0] ?? ""].entries()) {
      if (n > 0) agent.model = model;
      expect(await agent.sendMessage(`turn ${n}`)).toMatchObject({ because: "done", answer: `Seen ${n}.` });
      expect(agent.model).toBe(model);
    }
    await agent.destroy();

    expect(server.requests.map(({ wire, problems }) => [wire, problems])).toEqual(
      [
        "anthropic-messages",
        "openai-responses",
        "google-gemini",
        "chat-completions",
        "anthropic-messages",
      ].flatMap((wire) => [
        [wire, []],
        [wire, []],
      ]),
    );
    const last = server.requests.at(-1)?.text ?? "";
    // All that was said and done by anybody, and the reasoning of the one who is asked.
    for (const said of ["turn 0", "Looking 1.", "Seen 2.", "Looking 3.", "pixel.png", PIXEL])
      expect(last).toContain(said);
    for (const thought of ["Thought 0.", "Afterthought 0.", "Thought 4."]) expect(last).toContain(thought);
    for (const thought of ["Thought 1.", "Thought 2.", "Afterthought 3."])
      expect(last).not.toContain(thought);
    const told = (model: string, answers: number) =>
      `"${model}" gets the whole conversation, but not what another model attached to ${answers} earlier answers for itself, such as reasoning.`;
    expect(notices.filter((text) => text.includes("another model attached"))).toEqual([
      told("gpt-b", 2),
      told("gemini-c", 4),
      told("any-d", 6),
      told("claude-a", 6),
    ]);
  });
});
