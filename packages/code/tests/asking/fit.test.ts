import { describe, expect, it } from "vitest";
import { describeRequest } from "../../src/asking/describe.ts";
import { fit, roomOn, type Fit } from "../../src/asking/fit.ts";
import { layOut } from "../../src/asking/layout.ts";
import { packChoices } from "../../src/asking/packChoices.ts";
import { bash } from "./requests.ts";

describe("the room of a question", () => {
  it.each([
    [24, { rows: 20, around: "shown" }],
    [16, { rows: 12, around: "shown" }],
    [15, { rows: 12, around: "left-out" }],
    [8, { rows: 7, around: "left-out" }],
  ])("on a screen of %i rows", (rows, room) => {
    expect(roomOn(rows)).toEqual(room);
  });

  const short = layOut(describeRequest(bash("ls")), 80);
  const long = layOut(describeRequest(bash("ls\n".repeat(50))), 80);
  const parts = { fixed: 1, listed: 5, packed: 2, help: 1 };
  it.each<[string, typeof short, number, Fit]>([
    ["all of it", short, 20, { as: "listed", help: "shown", room: 13 }],
    ["all of it in ten rows", short, 10, { as: "listed", help: "shown", room: 3 }],
    ["choices side by side", short, 9, { as: "packed", help: "shown", room: 5 }],
    ["not one row too few", short, 7, { as: "packed", help: "shown", room: 3 }],
    ["all but the reminder of the keys", short, 6, { as: "packed", help: "left-out", room: 3 }],
    ["one row too few", short, 5, { as: "too-small" }],
    ["a page of a long one", long, 13, { as: "listed", help: "shown", room: 6 }],
    ["a page instead of the reminder", long, 12, { as: "listed", help: "left-out", room: 6 }],
    ["a page instead of a row for each choice", long, 11, { as: "packed", help: "left-out", room: 8 }],
    ["a long one, a row at a time", long, 6, { as: "packed", help: "left-out", room: 3 }],
    ["nothing of a long one", long, 5, { as: "too-small" }],
    [
      "one that is not short, with a row for each choice",
      layOut(describeRequest(bash("ls\nls")), 80),
      30,
      { as: "listed", help: "shown", room: 23 },
    ],
  ])("is divided: %s (T73)", (_what, body, all, expected) => {
    expect(fit(body, { all, ...parts })).toEqual(expected);
  });
});

describe("the choices of a question, side by side", () => {
  it("are cut between words, so that no row begins with a letter that looks like a key (G24)", () => {
    const choices = [
      {
        choice: "allow-in-session",
        key: "s",
        label: "",
        short: "Bash(npm run build:*) in session",
        joins: false,
      },
      { choice: "deny", key: "n", label: "deny", short: "deny", joins: false },
    ] as const;
    const rows = packChoices(choices, 34).map((row) => row.map(({ text }) => text));
    expect(rows).toEqual([["s Bash(npm run build:*) in"], ["session", "n deny"]]);
  });
});
