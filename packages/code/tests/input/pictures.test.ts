import { describe, expect, it } from "vitest";
import { edit, newEditor } from "../../src/input/editor.ts";
import { pastedPicture, pictureMentions } from "../../src/input/pictures.ts";

describe("pictures in the input", () => {
  it.each<[text: string, paths: string[]]>([
    ["what is wrong in @shot.png?", ["shot.png"]],
    ['compare @a/b.JPG, @"my shot.webp" and (@c.gif', ["a/b.JPG", "my shot.webp"]],
    ["@~/x.jpeg.", ["~/x.jpeg"]],
    ["mail me@shot.png", []],
    ["@shot.pngx @notes.md @.png.txt", []],
  ])("are what a prompt names: %j", (text, paths) => {
    expect(pictureMentions(text).map(({ path }) => path)).toEqual(paths);
  });

  it.each<[pasted: string, mention: string | undefined]>([
    ["/tmp/shot.png\n", "@/tmp/shot.png "],
    ["'/tmp/my shot.png'", '@"/tmp/my shot.png" '],
    [String.raw`/tmp/my\ shot.png`, '@"/tmp/my shot.png" '],
    ["file:///tmp/my%20shot.png", '@"/tmp/my shot.png" '],
    ["~/shot.JPG", "@~/shot.JPG "],
    [String.raw`C:\shots\one.png`, String.raw`@C:\shots\one.png `],
    ["see /tmp/shot.png", undefined],
    ["/tmp/a.png /tmp/b.png", undefined],
    ["shot.png", undefined],
    ["/tmp/notes.txt", undefined],
    ["/tmp/a.png\n/tmp/b.png", undefined],
  ])("come from a pasted path: %j", (pasted, mention) => {
    expect(pastedPicture(pasted)).toBe(mention);
  });

  const labels = (text: string) => edit(newEditor(), { do: "set", text }).folds.map(({ label }) => label);
  it("are shown as a number and a name, and are numbered again when one goes", () => {
    expect(labels("@a/one.png and @two.png ")).toEqual(["[picture 1: one.png]", "[picture 2: two.png]"]);
    const both = newEditor("@one.png @two.png ");
    const gone = edit(edit(both, { do: "start-of-text" }), { do: "delete" });
    expect([gone.text, gone.folds.map(({ label }) => label)]).toEqual([
      " @two.png ",
      ["[picture 1: two.png]"],
    ]);
    expect(edit(gone, { do: "undo" }).folds).toHaveLength(2);
  });

  it("are text for as long as the cursor stands right behind their name", () => {
    expect(labels("@one.png")).toEqual([]);
    expect(edit(newEditor("@one.png"), { do: "insert", text: " " }).folds).toHaveLength(1);
  });
});
