import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ALL_ALLOWED, bash, hooksOf, READY, ScreenSession } from "./support/screenSession.ts";

describe("what hooks are told on the screen", () => {
  it("is where a prompt came from, that somebody can answer, and how sessions follow each other; @file stays a name (T22, T32, T119, T165)", async () => {
    const keeps = "cat >>facts; echo >>facts";
    await using session = await ScreenSession.open({
      args: ALL_ALLOWED,
      scenario: (_request, n) =>
        n === 0 ? bash("until [ -e go-on ]; do sleep 0.05; done") : { say: `Answer ${n}.` },
      settings: hooksOf(
        ["SessionStart", `${keeps}; echo "begun by $1"`],
        ["UserPromptSubmit", keeps],
        ["SessionEnd", keeps],
      ),
      prepare: ({ folder }) => writeFileSync(join(folder, "secret.txt"), "THE-SECRET"),
    });
    const { wave, project, model } = session;
    await session.say("look at @secret.txt ");
    await wave.waitForText("running Bash");
    wave.type("and then");
    await wave.waitForText("> and then");
    await wave.press("enter");
    await wave.waitForText("waiting: and then");
    writeFileSync(join(project.folder, "go-on"), "");
    await wave.waitForText("Answer 2.");
    await session.idle();
    await session.say("/clear");
    await expect.poll(() => facts(project.folder).length).toBe(5);
    await wave.waitForText(READY);
    await session.say("anew");
    await wave.waitForText("Answer 3.");

    expect(facts(project.folder)).toMatchObject([
      { hook_event_name: "SessionStart", source: "startup", interactive: true, entrypoint: "terminal" },
      { prompt: "look at @secret.txt ", prompt_source: "typed", interactive: true },
      { prompt: "and then", prompt_source: "queued" },
      { hook_event_name: "SessionEnd", reason: "clear" },
      { hook_event_name: "SessionStart", source: "clear" },
      { prompt: "anew", prompt_source: "typed" },
    ]);
    expect(model.requests[0]?.text).toContain("look at @secret.txt");
    expect(model.requests.map(({ text }) => text).join()).not.toContain("THE-SECRET");
    const last = model.requests.at(-1)?.text;
    expect(last).toContain("begun by clear");
    expect(last).not.toContain("begun by startup");
  });
});

const facts = (folder: string): unknown[] =>
  readFileSync(join(folder, "facts"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
