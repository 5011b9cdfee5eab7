import { describe, expect, it } from "vitest";
import { notificationBytes } from "../../src/notifications/bytes.ts";
import { Notifier, type NotifierOptions } from "../../src/notifications/notifier.ts";
import { abilityOf, TERMINALS, type TerminalAbility } from "../../src/notifications/terminals.ts";
import { wantedOf } from "../../src/modes/notifierFor.ts";
import { HandClock } from "../support/keyboard.tsx";

const REPORTED = "\u001b[?1004h";
const UNREPORTED = "\u001b[?1004l";
const KEPT = "\u001b[22;0t";
const RESTORED = "\u001b]0;\u001b\\\u001b[23;0t";
const title = (text: string) => `\u001b]0;${text}\u001b\\`;

function start(options: Partial<NotifierOptions> = {}) {
  const clock = new HandClock();
  const written: string[] = [];
  const notifier = new Notifier({
    write: (bytes) => void written.push(bytes),
    project: "shop",
    notifies: "bell",
    hasTitle: true,
    clock,
    ...options,
  });
  return { clock, notifier, taken: () => written.splice(0) };
}

describe("a terminal", () => {
  it.each<[what: string, env: Record<string, string>, ability: TerminalAbility]>([
    ["nothing known", { TERM: "xterm-256color" }, { notifies: "bell", hasTitle: true }],
    ["dumb", { TERM: "dumb", KITTY_WINDOW_ID: "1" }, { notifies: undefined, hasTitle: false }],
    ["no TERM", {}, { notifies: undefined, hasTitle: false }],
    ["a console", { TERM: "linux" }, { notifies: "bell", hasTitle: false }],
    ["kitty", { TERM: "xterm-kitty" }, { notifies: "osc99", hasTitle: true }],
    ["iTerm2", { TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, { notifies: "osc9", hasTitle: true }],
    ["Ghostty", { TERM: "xterm-ghostty", TERM_PROGRAM: "ghostty" }, { notifies: "osc777", hasTitle: true }],
    ["WezTerm", { TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, { notifies: "osc777", hasTitle: true }],
    ["foot", { TERM: "foot" }, { notifies: "osc777", hasTitle: true }],
    [
      "tmux in kitty",
      { TERM: "tmux-256color", TMUX: "/tmp/tmux-1/default,1,0", KITTY_WINDOW_ID: "1" },
      { notifies: "bell", hasTitle: true },
    ],
  ])("with %s in its environment is told in its own way", (_what, env, ability) => {
    expect(abilityOf(env)).toEqual(ability);
  });

  it.each([
    ["auto", true, { TERM: "foot" }, { notifies: "osc777", hasTitle: true }],
    ["off", true, { TERM: "foot" }, { notifies: undefined, hasTitle: true }],
    ["bell", false, { TERM: "foot" }, { notifies: "bell", hasTitle: false }],
    ["osc9", true, { TERM: "dumb" }, { notifies: undefined, hasTitle: false }],
  ] as const)(
    "with notifications %s and windowTitle %s does as settings say",
    (notifications, windowTitle, env, wanted) => {
      expect(wantedOf({ notifications, windowTitle }, env)).toEqual(wanted);
    },
  );

  it("has one row in the table", () => {
    const names = TERMINALS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ["bell", "\u0007"],
    ["osc9", "\u001b]9;Wave: a,b\\x1b\\x07: done\u001b\\"],
    ["osc777", "\u001b]777;notify;Wave: a,b\\x1b\\x07;done\u001b\\"],
    ["osc99", "\u001b]99;i=wave:o=unfocused;Wave: a,b\\x1b\\x07: done\u001b\\"],
  ] as const)("is told with %s, and a folder's name cannot break out of it (G46)", (way, bytes) => {
    expect(notificationBytes(way, "a;b\u001b\u0007", "done")).toBe(bytes);
  });
});

describe("a window", () => {
  it("says what Wave does, and has its title back at the end", () => {
    const { notifier, clock, taken } = start({ notifies: undefined });
    expect(taken()).toEqual([KEPT, title("shop - wave")]);
    notifier.works();
    notifier.asks("one");
    notifier.asks(undefined);
    expect(taken()).toEqual(
      ["working - ", "asks you - ", "working - "].map((is) => title(`${is}shop - wave`)),
    );
    clock.pass(60_000);
    notifier.rests("itself");
    expect(taken()).toEqual([title("done - shop - wave")]);
    notifier.keyPressed();
    notifier.close();
    notifier.close();
    expect(taken()).toEqual([title("shop - wave"), RESTORED]);
  });

  it("has its own title while the shell has the terminal", () => {
    const { notifier, taken } = start();
    taken();
    notifier.end();
    notifier.begin();
    expect(taken()).toEqual([UNREPORTED, RESTORED, REPORTED, KEPT, title("shop - wave")]);
  });

  it("without a title gets none", () => {
    const { notifier, taken } = start({ hasTitle: false });
    notifier.works();
    notifier.rests("person");
    notifier.close();
    expect(taken()).toEqual([REPORTED, UNREPORTED]);
  });
});

describe("the bell", () => {
  it("rings when a turn ends and nobody is there, and not when somebody has ended it", () => {
    const { notifier, clock, taken } = start({ hasTitle: false });
    notifier.works();
    clock.pass(30_000);
    notifier.rests("person");
    notifier.works();
    clock.pass(30_000);
    expect(taken()).toEqual([REPORTED]);
    notifier.rests("itself");
    expect(taken()).toEqual(["\u0007"]);
  });

  it("does not ring any more once Wave has ended", () => {
    const { notifier, clock, taken } = start({ hasTitle: false });
    notifier.asks("one");
    notifier.close();
    clock.pass(60_000);
    expect(taken()).toEqual([REPORTED, UNREPORTED]);
  });
});
