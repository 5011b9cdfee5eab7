import { describe, expect, it } from "vitest";
import { commandsByUse, SLASH_COMMANDS } from "../../src/app/slashCommands.ts";

describe("the list of commands", () => {
  it("has every command once, the most used first", () => {
    const names = commandsByUse().map(({ name }) => name);
    expect(names.slice(0, 7)).toEqual(["help", "hooks", "resume", "clear", "compact", "rewind", "model"]);
    expect(names.toSorted()).toEqual(Object.keys(SLASH_COMMANDS).toSorted());
  });
});
