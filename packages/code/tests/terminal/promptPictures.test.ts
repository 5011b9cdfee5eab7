import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runWave } from "../support/runWave.ts";
import { ScreenSession } from "./support/screenSession.ts";

/** One grey dot. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
const PICTURE = { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } };

describe("pictures in a prompt", () => {
  it("come from the clipboard with Ctrl-V, where a program can read it", async () => {
    await using session = await ScreenSession.open({
      scenario: [{ say: "A dot." }],
      env: { WAYLAND_DISPLAY: "wayland-0", PATH: `./bin:${process.env["PATH"]}` },
      prepare: (prepared) => {
        const dot = prepared.write("dot.b64", PNG);
        prepared.script("bin/wl-paste", `[ "$*" = "--type image/png" ] && base64 -d < '${dot}'`);
      },
    });
    const { wave, model, project } = session;
    await wave.press("ctrl-v");
    await wave.waitForText(/\[picture 1: clipboard-[0-9a-f]{12}\.png\]/);
    await wave.press("enter");
    await wave.waitForText("A dot.");
    expect(model.requests[0]?.body.messages.at(-1)?.content).toContainEqual(PICTURE);
    project.script("bin/wl-paste", "exit 1");
    await wave.press("ctrl-v");
    await wave.waitForText("the clipboard has no picture");
  });

  it("are pasted as a path, shown by number and name, sent as pictures, and refused with a sentence", async () => {
    await using session = await ScreenSession.open({
      scenario: [{ say: "A dot." }, { say: "From print mode." }],
      prepare: ({ folder }) => {
        writeFileSync(join(folder, "my shot.png"), Buffer.from(PNG, "base64"));
        writeFileSync(join(folder, "fake.png"), "hello");
      },
    });
    const { wave, project, model } = session;
    wave.type("what is ");
    await wave.waitForText("> what is");
    wave.paste(`'${join(project.folder, "my shot.png")}'`);
    await wave.waitForText("what is [picture 1: my shot.png]");
    await wave.press("enter");
    await wave.waitForText("A dot.");
    await wave.waitForText("image my shot.png (image/png, 67 bytes)");
    const typed = `what is @"${join(project.folder, "my shot.png")}" `;
    expect(model.requests[0]?.body.messages.at(-1)?.content).toEqual([
      { type: "text", text: typed },
      PICTURE,
    ]);

    wave.type("and @fake.png ?");
    await wave.waitForText("and [picture 1: fake.png] ?");
    await wave.press("enter");
    await wave.waitForText("fake.png is no picture: only PNG, JPEG, GIF and WebP can be shown.");
    await wave.waitForText("> and [picture 1: fake.png] ?");
    expect(model.requests).toHaveLength(1);

    const printed = await runWave(["-p", "and @nowhere.png", '@"my shot.png"'], { project, model });
    expect(printed).toMatchObject({ status: 0, stdout: "From print mode.\n" });
    expect(printed.stderr).toContain("nowhere.png does not exist. The name is sent, and no picture.");
    expect(model.requests[1]?.body.messages.at(-1)?.content).toContainEqual(PICTURE);
    const refused = await runWave(["-p", "@fake.png"], { project, model });
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("fake.png is no picture") });
    expect(model.requests).toHaveLength(2);
  });
});
