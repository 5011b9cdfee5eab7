import { describe, expect, it } from "vitest";
import { modelItem, searchModels } from "../../src/panels/modelList.ts";
import type { PanelPress } from "../../src/panels/press.ts";
import { pressInSearch, searchFor } from "../../src/panels/searchList.ts";
import { textOf } from "../../src/view/span.ts";

const models = ["gpt-5", "gpt-5-mini", "qwen\u001b[2J"].map((name) => ({ name, contextSize: undefined }));

describe("the models in the picker", () => {
  it("are searched by every word, in any order and case", () => {
    expect(searchModels(models, "MINI gpt").map(({ name }) => name)).toEqual(["gpt-5-mini"]);
    expect(searchModels(models, "")).toHaveLength(3);
  });

  it("say which one is in use and how much it takes, and cannot act on the terminal", () => {
    const line = (name: string, contextSize: number | undefined) =>
      modelItem({ name, contextSize }, { columns: 40, present: "gpt-5" }).map(textOf);
    expect(line("gpt-5", 400_000)[0]).toMatch(/^gpt-5 +in use · 400k tokens$/);
    expect(line("qwen\u001b[2J", undefined)[0]).toContain("qwen\\x1b[2J");
  });

  it("are chosen with Enter, left with Esc, and searched with letters", () => {
    const find = (query: string) => searchModels(models, query);
    const press = (key: PanelPress, place = searchFor("")) => pressInSearch(place, key, { find, page: 5 });
    expect(press({ key: "enter" }).effect).toEqual({ do: "choose", item: models[0] });
    expect(press({ key: "enter" }, searchFor("nothing has this")).effect).toBeUndefined();
    expect(press({ key: "down" }).now.selected).toBe(1);
    expect(press({ key: "text", text: "q" }).now.query).toBe("q");
    expect(press({ key: "esc" }, searchFor("q"))).toEqual({ now: searchFor("") });
    expect(press({ key: "esc" }).effect).toEqual({ do: "close" });
  });
});
