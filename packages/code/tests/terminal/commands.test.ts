import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ScreenSession } from "./support/screenSession.ts";

describe("a command in a file", () => {
  it("is completed, listed by /help, and sent as what the file says with what was typed behind it", async () => {
    await using session = await ScreenSession.open({
      scenario: [{ say: "Shipped." }],
      prepare: ({ home }) => {
        mkdirSync(join(home, "commands"), { recursive: true });
        writeFileSync(
          join(home, "commands/ship.md"),
          "---\ndescription: Ships the release\n---\nShip $1.\nHere: !`echo ship-shape`",
        );
      },
    });
    const { wave } = session;
    wave.type("/shi");
    await wave.waitForText("Ships the release");
    wave.type("p it");
    await wave.waitForText("/ship it");
    await wave.press("enter");
    await wave.waitForText("Shipped.");
    expect(wave.text()).toContain("ship-shape");
    const sent = session.model.requests.at(-1)?.text ?? "";
    expect(sent).toContain("Ship it.");
    expect(sent).toContain("ship-shape");
  });
});
