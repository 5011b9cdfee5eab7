import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel, type Scenario, type ScriptedRequest } from "wave-agent-sdk/testing";
import { describe, expect, it } from "vitest";
import { makeProject } from "../support/project.ts";
import { startWave, type TerminalRun } from "./support/terminal.ts";

/** The real program on a terminal of its own, with a model at its wire. */
async function onScreen(
  setup: { scenario: Scenario; settings?: object; models?: readonly string[]; env?: Record<string, string> },
  use: (wave: TerminalRun, requests: readonly ScriptedRequest[]) => Promise<void>,
): Promise<void> {
  using project = makeProject();
  if (setup.settings) writeFileSync(join(project.home, "settings.json"), JSON.stringify(setup.settings));
  await using model = await startScriptedModel(setup.scenario, { models: setup.models ?? ["scripted"] });
  await using wave = startWave({
    cwd: project.folder,
    cols: 100,
    rows: 30,
    args: ["--permission-mode", "bypassPermissions"],
    env: {
      WAVE_HOME: project.home,
      WAVE_API_KEY: "key",
      WAVE_BASE_URL: model.baseUrl,
      WAVE_MODEL: "scripted",
      ...setup.env,
    },
  });
  await wave.waitForText("Ask, or / for commands");
  await use(wave, model.requests);
}

async function say(wave: TerminalRun, text: string): Promise<void> {
  wave.type(text);
  await wave.waitForText(`> ${text}`);
  await wave.press("enter");
}

const isSummaryRequest = ({ text }: ScriptedRequest) => text.includes("Now write the summary");
const promptsIn = (request: ScriptedRequest | undefined) =>
  (request?.body.messages ?? [])
    .filter(({ role }) => role === "user")
    .map(({ content }) => (typeof content === "string" ? content.split("\n")[0] : ""));
const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });

describe("/compact", () => {
  it("sums up the conversation, can be opened with Ctrl-O and undone", async () => {
    const usage = { input: 60_000, output: 1_000 };
    const scenario: Scenario = (request, n) =>
      isSummaryRequest(request) ? { say: "WHAT HAPPENED SO FAR" } : { say: `answer ${n}`, usage };
    await onScreen({ scenario, settings: { contextSize: 100_000 } }, async (wave, requests) => {
      await say(wave, `one ${"x".repeat(50)}`);
      await wave.waitForText("answer 0");
      await say(wave, "two");
      await wave.waitForText("answer 1");
      await wave.waitForText("61.0k tokens, 61% of the context");

      await say(wave, "/compact keep the names");
      await wave.waitForText(/≡ summary of 2 messages · 61\.0k → about [\d.]+k? tokens · Ctrl-O opens it/);
      expect(requests.at(-1)?.text).toContain("keep the names");
      expect(wave.text()).not.toContain("WHAT HAPPENED SO FAR");
      await wave.press("ctrl-o");
      await wave.waitForText("WHAT HAPPENED SO FAR");
      await wave.waitForText(/In full ─+ 1 of 1 ─/);
      await wave.press("ctrl-o");
      await wave.waitUntil(() => !wave.text().includes("In full"), { what: "the conversation" });

      await say(wave, "three");
      await wave.waitForText("answer 3");
      expect(promptsIn(requests.at(-1))).toEqual(["<wave-summary>", "two", "three"]);

      await say(wave, "/compact undo");
      await wave.waitForText("the model gets the whole conversation again");
      await say(wave, "four");
      await wave.waitForText("answer 4");
      expect(promptsIn(requests.at(-1))).toEqual([`one ${"x".repeat(50)}`, "two", "three", "four"]);
      await say(wave, "/compact undo");
      await wave.waitForText("there is no summary to take back");
      await wave.waitForText("· 61.0k tokens, 61% of the context");

      // Until the next answer nobody has counted: what is known of it stays, and says that it is an estimate.
      await say(wave, "/compact");
      await wave.waitForText(/about [\d.]+k? tokens, \d+% of the context/);
      await say(wave, "/compact undo");
      await wave.waitForText("about 61.0k tokens, 61% of the context");

      await say(wave, "/cost");
      await wave.waitForText(/scripted: 6 calls, [\d,]+ input and [\d,]+ output tokens/);
      expect(wave.text()).toMatch(/hooks: none ran\n +not known: the price/);
    });
  });

  it("shows that it works and stops with Esc, which changes nothing", async () => {
    const scenario: Scenario = (request, n) =>
      isSummaryRequest(request) ? { hang: true } : { say: `answer ${n}` };
    await onScreen({ scenario }, async (wave, requests) => {
      for (const [n, prompt] of ["one", "two"].entries()) {
        await say(wave, prompt);
        await wave.waitForText(`answer ${n}`);
      }
      await say(wave, "/compact");
      await wave.waitForText(/compacting the conversation · \d+ s · Esc stops/);
      await wave.press("esc");
      await wave.waitUntil(() => !/Esc stops| stopping /.test(wave.screen().join("\n")), {
        what: "an idle screen",
      });
      await say(wave, "three");
      await wave.waitForText("answer 3");
      expect(promptsIn(requests.at(-1))).toEqual(["one", "two", "three"]);
      expect(wave.text()).not.toContain("≡");
    });
  });
});

describe("a prompt typed while the agent works", () => {
  it("waits, is told with Enter, and is before the next request of the turn", async () => {
    const scenario: Scenario = [bash("until [ -e go ]; do sleep 0.05; done"), { say: "understood" }];
    await onScreen({ scenario }, async (wave, requests) => {
      await say(wave, "begin");
      await wave.waitForText("running Bash");
      await say(wave, "use tabs");
      await wave.waitForText("waiting: use tabs");
      await wave.waitForText("Enter again: tell it now");
      await wave.press("enter");
      await wave.waitForText("telling it: use tabs");
      await say(wave, "later words");
      await wave.waitForText("waiting: later words");
      await wave.press("up");
      await wave.waitForText("> later words");
      expect(wave.screen().join("\n")).not.toContain("waiting: later words");
      writeFileSync(join(requestsFolder(requests), "go"), "");
      await wave.waitForText("understood");
      expect(promptsIn(requests[1])).toEqual(["begin", "use tabs"]);
      expect(wave.screen().join("\n")).not.toContain("telling it");
    });
  });

  it("that was told comes back with Esc, together with what waits", async () => {
    await onScreen({ scenario: [bash("sleep 60")] }, async (wave, requests) => {
      await say(wave, "begin");
      await wave.waitForText("running Bash");
      await say(wave, "first");
      await wave.waitForText("waiting: first");
      await wave.press("enter");
      await wave.waitForText("telling it: first");
      await say(wave, "second");
      await wave.waitForText("waiting: second");
      await wave.press("esc");
      await wave.waitForText(/> first\s+│\n│\s+│\n│\s+second/);
      expect(requests).toHaveLength(1);
    });
  });
});

describe("/model", () => {
  it("lists what the server offers, changes the model, and the status line follows", async () => {
    const scenario: Scenario = (_request, n) => ({ say: `answer ${n}` });
    await onScreen({ scenario, models: ["scripted", "gpt-4o", "other"] }, async (wave, requests) => {
      await wave.waitForText("mode bypassPermissions · scripted");
      await say(wave, "/model");
      await wave.waitForText("Models (3 models)");
      await wave.waitForText(/scripted\s+in use/);
      await wave.answer("4o");
      await wave.waitForText("Search: 4o");
      await wave.answerKey("enter");
      await wave.waitForText("the model is now gpt-4o");
      await wave.waitForText("bypassPermissions · gpt-4o");
      await say(wave, "hello");
      await wave.waitForText("answer 0");
      expect(requests[0]?.body.model).toBe("gpt-4o");
      await wave.waitForText(/% of the context/);
      await say(wave, "/model other");
      await wave.waitForText("bypassPermissions · other");
    });
  });

  it("says in one sentence why there is no list", async () => {
    await onScreen({ scenario: [], env: { WAVE_BASE_URL: "http://127.0.0.1:9/v1" } }, async (wave) => {
      await say(wave, "/model");
      await wave.waitForText("Nothing answers at http://127.0.0.1:9/v1");
      await wave.press("esc");
      await wave.waitForText("Ask, or / for commands");
      expect(wave.screen().join("\n")).not.toContain("Nothing answers");
    });
  });
});

/** Where the agent works: the system prompt says it. */
function requestsFolder(requests: readonly ScriptedRequest[]): string {
  return /Project folder: ([^\\]+)/.exec(requests[0]?.text ?? "")?.[1] ?? "";
}
