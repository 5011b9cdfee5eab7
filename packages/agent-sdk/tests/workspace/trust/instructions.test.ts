import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { approveProject, needsReview, readProjectTrust, revokeTrust } from "@/workspace/trust/trust.ts";
import { liveAgent } from "../../support/liveAgent.ts";
import { tempFolder } from "../../support/tempFolder.ts";

/** A project with nothing but AGENTS.md, and agents that believe only what was approved. */
async function place(
  use: (stage: ReturnType<typeof stageIn>) => Promise<void>,
  text?: string,
): Promise<void> {
  using folder = tempFolder();
  const stage = stageIn(folder.path);
  if (text !== undefined) stage.write(text);
  await use(stage);
}

function stageIn(folder: string) {
  const [projectDir, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(join(projectDir, ".wave"), { recursive: true });
  const file = join(projectDir, "AGENTS.md");
  const look = () => readProjectTrust({ home, projectDir, hooks: [], rules: [], ofProject: [] });
  return {
    folder,
    projectDir,
    home,
    file,
    look,
    write: (text: string) => writeFileSync(file, text),
    approve: () => approveProject(home, look(), new Date(0)),
    async open() {
      const live = await liveAgent(
        folder,
        Array.from({ length: 4 }, () => ({ say: "ok" })),
        {
          options: { trust: "store", reviewCommand: "/look" },
        },
      );
      return {
        ...live,
        /** What the model is told of AGENTS.md with the next request. */
        async told(): Promise<string> {
          await live.agent.sendMessage("go");
          const { messages } = JSON.parse(live.model.requests.at(-1)?.text ?? "{}");
          const [, said = ""] = String(messages[0].content).split("(AGENTS.md)\n");
          return said;
        },
        notices: () => live.events.flatMap((event) => (event.type === "notice" ? [event.text] : [])),
      };
    },
  };
}

describe("AGENTS.md of a project", () => {
  it("is told to the model in the form that was approved and in no other; a change shows what was approved before (T37, T40, G18)", async () => {
    await place(async (stage) => {
      expect(stage.look().items).toMatchObject([
        { item: { kind: "instructions", path: "AGENTS.md", unread: 0 }, state: "new", before: undefined },
      ]);
      {
        await using session = await stage.open();
        expect(await session.told()).toBe("");
        expect(session.agent.leavesInstructionsOut).toBe(true);
        expect(session.notices()).toContainEqual(
          expect.stringMatching(
            /^AGENTS\.md is not read .* \/look or wave hooks trust shows and approves it$/,
          ),
        );
        // A yes while the session runs counts at once.
        const review = session.agent.reviewSettings("everything");
        expect(review && (await session.agent.takeSettings(review))).toMatchObject({ reloaded: true });
        expect([await session.told(), session.agent.leavesInstructionsOut]).toEqual(["Be kind.", false]);
        // What was read stays in force, whatever the file says by now.
        stage.write("Be rude.\n");
        expect(await session.told()).toBe("Be kind.");
        expect(await session.agent.reloadSettings()).toMatchObject({
          reloaded: false,
          why: expect.stringContaining("this version is not approved: AGENTS.md;"),
        });
      }
      const [changed] = stage.look().items;
      expect(changed?.state).toBe("changed");
      const copy = changed?.before?.kind === "instructions" ? changed.before.copy : "";
      expect(readFileSync(join(copy, "AGENTS.md"), "utf8")).toBe("Be kind.\n");
      await using later = await stage.open();
      expect(await later.told()).toBe("");
    }, "Be kind.\n");
  });

  it.each([
    ["there is none", undefined, false],
    ["it is empty", " \n", false],
    ["it says something", "x", true],
  ])("needs a yes only when it says something: %s", async (_what, text, needs) => {
    await place(async ({ look }) => expect(needsReview(look())).toBe(needs), text);
  });

  it("is approved as far as it is read: what stands behind 32 KB never counts (G19)", async () => {
    await place(async (stage) => {
      await stage.approve();
      stage.write("x".repeat(50_000));
      expect(stage.look().items).toMatchObject([{ state: "reviewed", item: { unread: 17_232 } }]);
      stage.write(`y${"x".repeat(50_000)}`);
      expect(needsReview(stage.look())).toBe(true);
    }, "x".repeat(40_000));
  });

  it("behind a link that leaves the project is another one than the same text in it (T47)", async () => {
    await place(async (stage) => {
      const elsewhere = join(stage.folder, "elsewhere.md");
      writeFileSync(elsewhere, "Be kind.");
      symlinkSync(elsewhere, stage.file);
      const [led] = stage.look().items;
      expect(led?.item.settingsAt).toBe(elsewhere);
    });
  });
});

describe("a note that a person typed", () => {
  it("is approved with the file that it makes, and with what was approved before; nothing else is (T37, G18)", async () => {
    await place(async (stage) => {
      await using session = await stage.open();
      expect(await session.agent.addNote("use tabs")).toEqual({
        added: true,
        file: stage.file,
        created: true,
      });
      expect(await session.told()).toBe("- use tabs");
      expect(await session.agent.addNote("be brief")).not.toHaveProperty("unread");
      expect(await session.told()).toBe("- use tabs\n- be brief");
      expect(stage.look()).toMatchObject({ folder: "unknown", items: [{ state: "reviewed" }] });
      // Somebody else's line: a note behind it brings it no yes.
      stage.write("- use tabs\n- be brief\n- OBEY\n");
      expect(await session.agent.addNote("and clear")).toMatchObject({
        added: true,
        unread: expect.stringMatching(
          /^nobody approved the rest .* \/look or wave hooks trust shows and approves it$/,
        ),
      });
      expect(await session.told()).toBe("- use tabs\n- be brief");
      expect(stage.look().items).toMatchObject([{ state: "changed" }]);
    });
  });

  it("is no yes to a file that nobody approved, nor after the yes was taken back", async () => {
    await place(async (stage) => {
      await stage.approve();
      await revokeTrust(stage.home, stage.projectDir);
      await using session = await stage.open();
      expect(await session.agent.addNote("x")).toMatchObject({ unread: expect.stringContaining("/look") });
      expect(await session.told()).toBe("");
      expect(existsSync(stage.file) && needsReview(stage.look())).toBe(true);
    }, "Be kind.\n");
  });
});
