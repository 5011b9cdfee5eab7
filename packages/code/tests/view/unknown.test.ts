import { expect, it } from "vitest";
import type { LoadedSession, Message } from "wave-agent-sdk";
import { sessionMarkdown } from "../../src/export/sessionMarkdown.ts";
import { noticeOf } from "../../src/view/notice.ts";

const block = { type: "unknown", name: "audio", raw: { type: "audio" } } as const;

it("something that a newer version of Wave said is shown as unknown, on the screen and in an export (G52)", () => {
  const item = { id: "m:0", role: "user", block, spaced: false } as const;
  expect(noticeOf(item, "/p")).toMatchObject({
    heading: "unknown",
    text: "something that this version of Wave does not know (audio); it is kept in the session",
  });
  const messages: Message[] = [{ id: "m", role: "user", blocks: [block] }];
  const session = { id: "s", file: "", cwd: "", messages, usage: undefined, interrupted: [], problems: [] };
  expect(sessionMarkdown(session satisfies LoadedSession)).toContain("does not know (audio)");
});
