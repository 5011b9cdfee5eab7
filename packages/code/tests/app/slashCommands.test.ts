import { describe, expect, it } from "vitest";
import { commandList, SLASH_COMMANDS } from "../../src/app/slashCommands.ts";

describe("the list of commands", () => {
  it("has every command once, the most used first", () => {
    const names = commandList().map(({ name }) => name);
    expect(names.slice(0, 7)).toEqual(["help", "hooks", "resume", "clear", "compact", "rewind", "model"]);
    expect(names).toEqual(Object.keys(SLASH_COMMANDS));
  });
});
