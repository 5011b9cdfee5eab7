import { describe, expect, it } from "vitest";
import type { ListedRule, TimedDecision } from "wave-agent-sdk";
import {
  permissionItem,
  permissionRows,
  permissionText,
  pressInPermissions,
  type PermissionsPlace,
} from "../../src/panels/permissions.ts";
import type { PanelPress } from "../../src/panels/press.ts";
import { textOf } from "../../src/view/span.ts";

const LOCAL = "/p/.wave/settings.local.json";
const USER = "/home/me/.wave/settings.json";
const FILES = [LOCAL, USER, "session"];
const NOW = Date.parse("2026-01-01T01:00:00Z");

const rule = (changes: Partial<ListedRule> = {}): ListedRule => ({
  rule: "Bash(npm test:*)",
  behavior: "allow",
  scope: "local",
  file: LOCAL,
  state: "active",
  ...changes,
});

const call = (changes: Partial<TimedDecision>): TimedDecision => ({
  ts: "2026-01-01T00:55:00Z",
  event: "PreToolUse",
  toolName: "Bash",
  inputPreview: '{"command":"npm test -- a"}',
  mode: "default",
  hooks: [],
  skipped: [],
  decision: "allow",
  decidedBy: "rule Bash(npm test:*)",
  durationMs: 1,
  ...changes,
});

const matched = call({ rules: [{ rule: "Bash(npm test:*)", behavior: "allow", source: `${LOCAL}:3` }] });
const denied = call({
  toolUseId: "t2",
  inputPreview: '{"command":"rm -rf /"}',
  decision: "deny",
  decidedBy: "hook guard",
});
const managed = rule({
  rule: "Bash(curl:*)",
  behavior: "deny",
  scope: "managed",
  file: "/etc/wave/settings.json",
  fixed: "it is a managed rule",
});
const rows = permissionRows([rule(), managed], { decisions: [matched, matched, denied] }, NOW);

describe("/permissions", () => {
  it("lists rules that deny first, with file and what they matched, then what was denied", () => {
    const lines = rows.map((row) =>
      permissionItem(row, { columns: 90, folder: "/p", now: NOW }).map((line) => textOf(line).trimEnd()),
    );
    expect(lines).toEqual([
      ["deny  Bash(curl:*)", "  /etc/wave/settings.json · matched nothing lately"],
      [
        "allow Bash(npm test:*)",
        "  .wave/settings.local.json · matched 2 times, last 5 minutes ago: npm test -- a",
      ],
      ["denied Bash rm -rf /", "  hook guard · 5 minutes ago"],
    ]);
  });

  const list = (selected: number): PermissionsPlace => ({ at: "list", selected });
  const from = { rule: "Bash(npm test:*)", behavior: "allow", file: LOCAL } as const;
  const form = { text: "Bash(ls)", behavior: "allow", place: 0 } as const;
  const open: PermissionsPlace = { at: "form", selected: 1, form };
  const text = (letter: string): PanelPress => ({ key: "text", text: letter });
  it.each<[what: string, PermissionsPlace, PanelPress, ReturnType<typeof pressInPermissions>]>([
    [
      "a opens an empty form",
      list(0),
      text("a"),
      {
        now: list(0),
        effect: {
          do: "open",
          place: { at: "form", selected: 0, form: { text: "", behavior: "allow", place: 0 } },
        },
      },
    ],
    [
      "e opens the form of a rule",
      list(1),
      text("e"),
      {
        now: list(1),
        effect: {
          do: "open",
          place: { at: "form", selected: 1, form: { text: from.rule, behavior: "allow", place: 0, from } },
        },
      },
    ],
    [
      "a managed rule says why it cannot be changed",
      list(0),
      text("x"),
      { now: list(0), effect: { do: "say", words: "Bash(curl:*) cannot be changed: it is a managed rule." } },
    ],
    [
      "x asks first",
      list(1),
      text("x"),
      { now: list(1), effect: { do: "open", place: { at: "remove", selected: 1, rule: from } } },
    ],
    [
      "Enter removes",
      { at: "remove", selected: 1, rule: from },
      { key: "enter" },
      { now: list(1), effect: { do: "change", change: { from } } },
    ],
    ["Esc keeps", { at: "remove", selected: 1, rule: from }, { key: "esc" }, { now: list(1) }],
    ["letters are written", open, text("!"), { now: { ...open, form: { ...form, text: "Bash(ls)!" } } }],
    [
      "Right changes what it does",
      open,
      { key: "right" },
      { now: { ...open, form: { ...form, behavior: "ask" } } },
    ],
    ["Left the other way", open, { key: "left" }, { now: { ...open, form: { ...form, behavior: "deny" } } }],
    ["Down chooses the file", open, { key: "down" }, { now: { ...open, form: { ...form, place: 1 } } }],
    [
      "Enter adds",
      open,
      { key: "enter" },
      {
        now: list(1),
        effect: { do: "change", change: { to: { rule: "Bash(ls)", behavior: "allow", file: LOCAL } } },
      },
    ],
    [
      "Enter moves",
      { at: "form", selected: 1, form: { ...form, text: from.rule, place: 1, from } },
      { key: "enter" },
      { now: list(1), effect: { do: "change", change: { from, to: { ...from, file: USER } } } },
    ],
    [
      "nothing is no rule",
      { ...open, form: { ...form, text: " " } },
      { key: "enter" },
      { now: { ...open, form: { ...form, text: " " } } },
    ],
    ["Esc closes", list(1), { key: "esc" }, { now: list(1), effect: { do: "close" } }],
  ])("%s", (_what, place, press, result) => {
    expect(pressInPermissions(place, press, { rows, files: FILES, page: 5 })).toEqual(result);
  });

  it("is printed by wave permissions", () => {
    const lines = permissionText(rows, { folder: "/p", now: NOW, sessions: 1 });
    expect(lines).toContain("  Bash rm -rf / · hook guard · 5 minutes ago");
    expect(lines.at(-1)).toContain("the last 1 session of this project");
    expect(permissionText([], { folder: "/p", now: NOW, sessions: 0 })[0]).toBe(
      "There are no permission rules here.",
    );
  });
});
