import { describe, expect, it } from "vitest";
import { bash, hooksOf, ScreenSession, type ScreenSetup } from "./support/screenSession.ts";
import { runWave } from "../support/runWave.ts";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { makeProject } from "../support/project.ts";

/** Every sequence that calls somebody: a bell by itself, or what a terminal makes a notification of. */
// oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
const SEQUENCES = /\u001b\](?<osc>\d+);(?<text>[^\u0007\u001b]*)(?:\u0007|\u001b\\)|(?<bell>\u0007)/g;

/** The terminal keeps its title, and has it again. */
const KEPT = "\u001b[22;0t";
const RESTORED = "\u001b[23;0t";

/** The terminal reports whether its window has the keyboard, and stops. */
const REPORTED = "\u001b[?1004h";
const UNREPORTED = "\u001b[?1004l";

const callsIn = (output: string) =>
  [...output.matchAll(SEQUENCES)].flatMap(({ groups }) =>
    groups?.["bell"] ? ["bell"] : groups?.["osc"] === "0" ? [] : [`${groups?.["osc"]} ${groups?.["text"]}`],
  );
const titlesIn = (output: string) =>
  [...output.matchAll(SEQUENCES)].flatMap(({ groups }) => (groups?.["osc"] === "0" ? [groups["text"]] : []));

const open = (setup: Partial<ScreenSetup> = {}) =>
  ScreenSession.open({ scenario: [bash("touch one"), { say: "There it is." }], ...setup });

describe("Wave on a terminal that nobody looks at", () => {
  it.concurrent("calls once for a question and once for the end of a turn, not before 3 seconds have passed since a key", async () => {
    await using session = await open({ env: { TERM_PROGRAM: "ghostty" } });
    const { wave } = session;
    const callAfterKey = async (press: () => Promise<unknown>, calls: number) => {
      await press();
      const pressed = performance.now();
      await wave.waitUntil(() => callsIn(wave.output).length >= calls, { what: `${calls} notifications` });
      expect(performance.now() - pressed).toBeGreaterThan(3_000);
    };
    await callAfterKey(() => session.say("try it"), 1);
    expect(wave.text()).toContain("touch one");
    await callAfterKey(() => wave.answer("y"), 2);
    expect(wave.text()).toContain("There it is.");
    await wave.press("ctrl-d");
    await wave.exit;
    const project = session.project.folder.split("/").at(-1);
    expect(callsIn(wave.output)).toEqual([
      `777 notify;Wave: ${project};waiting for your answer`,
      `777 notify;Wave: ${project};done, waiting for you`,
    ]);
    const said = titlesIn(wave.output).map((title) => title?.replace(`${project} - wave`, "…"));
    expect(said).toEqual(expect.arrayContaining(["…", "working - …", "asks you - …", "done - …"]));
    expect(said.at(-1)).toBe("");
    expect(wave.output.split(KEPT)).toHaveLength(2);
    expect(wave.output.slice(wave.output.lastIndexOf("\u001b]0;"))).toContain(RESTORED);
  });

  it.concurrent("calls nobody while the window has the keyboard, and tells the terminal at the end that it need not report it", async () => {
    await using session = await open();
    const { wave } = session;
    await wave.waitUntil(() => wave.output.includes(REPORTED), { what: "focus reports" });
    await wave.waitForText("/help lists");
    await session.say("try it");
    wave.type("\u001b[I");
    await wave.waitForText(/touch one[\s\S]*\by\b/);
    // The first call would come five seconds after the last key.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(callsIn(wave.output)).toEqual([]);
    wave.type("\u001b[O");
    await wave.waitUntil(() => callsIn(wave.output).length > 0, { what: "a bell" });
    expect(callsIn(wave.output)).toEqual(["bell"]);
    expect(wave.screen().join("\n")).not.toMatch(/\[[IO]/);
  });

  it.concurrent("rings a bell when a hook fails, where the terminal knows nothing better", async () => {
    await using session = await open({
      settings: hooksOf(["UserPromptSubmit", "exit 7", "broken"]),
      scenario: [{ say: "Well.", hang: true }],
    });
    await session.say("hello");
    await session.wave.waitUntil(() => callsIn(session.wave.output).length > 0, { what: "a bell" });
    expect(callsIn(session.wave.output)).toEqual(["bell"]);
  });

  it.concurrent.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)(
    "gives the window its title back when it is ended by %s",
    async (signal) => {
      await using session = await open();
      session.wave.signal(signal);
      await session.wave.exit;
      const { output } = session.wave;
      expect(output.lastIndexOf(RESTORED)).toBeGreaterThan(output.lastIndexOf(KEPT));
      expect(output.lastIndexOf(UNREPORTED)).toBeGreaterThan(output.lastIndexOf(REPORTED));
    },
  );

  it.concurrent.each<[what: string, setup: Partial<ScreenSetup>]>([
    ["a dumb terminal", { env: { TERM: "dumb" } }],
    ["settings that switch it off", { settings: { notifications: "off", windowTitle: false } }],
  ])("says nothing with %s", async (_what, setup) => {
    await using session = await open(setup);
    await session.say("try it");
    await session.wave.waitForText(/touch one[\s\S]*\by\b/);
    expect([...callsIn(session.wave.output), ...titlesIn(session.wave.output)]).toEqual([]);
    expect(session.wave.output).not.toContain(KEPT);
    expect(session.wave.output).not.toContain(REPORTED);
  });

  it.concurrent("says nothing in a pipe", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([bash("touch one"), { say: "No." }]);
    const { stdout, stderr } = await runWave(["-p", "try it"], { project, model });
    expect([...callsIn(stdout + stderr), ...titlesIn(stdout + stderr)]).toEqual([]);
    expect(stdout + stderr).not.toContain(REPORTED);
  });
});
