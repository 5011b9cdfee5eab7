import { describe, expect, it } from "vitest";
import type { Message, SummaryBlock } from "wave-agent-sdk";
import { textOf } from "../../src/view/span.ts";
import { summaryLines } from "../../src/view/summary.ts";
import { Transcript } from "../../src/view/transcript.ts";
import { ended } from "../support/events.ts";

const block: SummaryBlock = {
  type: "summary",
  content: "# Now\nall is \u001b[31mfine",
  keeps: [],
  covers: 41,
  askedBy: "person",
  tokensBefore: 90_000,
  tokensAfter: 4_100,
};
const drawn = (change: Partial<SummaryBlock>, options: Parameters<typeof summaryLines>[1]) =>
  summaryLines({ ...block, ...change }, options).map(textOf);

describe("a summary on the screen", () => {
  it("is one line that says what it stands for, and opened all of it, with nothing a terminal would act on", () => {
    const head = "≡ summary of 41 messages · 90.0k → about 4.1k tokens";
    expect(drawn({}, { width: 80, open: false })).toEqual([`${head} · Ctrl-O opens it`]);
    expect(drawn({}, { width: 80, open: true })).toEqual([head, "  # Now", "  all is \\x1b[31mfine"]);
    expect(drawn({ undone: true }, { width: 100, open: false })).toEqual([
      `${head} · taken back · Ctrl-O opens it`,
    ]);
  });

  it("fits its width, and says nothing of sizes that nobody counted", () => {
    expect(drawn({ tokensBefore: undefined }, { width: 40, open: false })).toEqual([
      "≡ summary of 41 messages · Ctrl-O opens…",
    ]);
  });

  it("is printed at once, within a turn and when a person asked for it", () => {
    const transcript = new Transcript();
    const add = (id: string) => {
      const message: Message = { id, role: "user", blocks: [block] };
      return transcript.handle({ type: "messages_changed", message }, 0);
    };
    transcript.handle({ type: "turn_started", prompt: "go" }, 0);
    transcript.handle({ type: "model_started", call: 1 }, 0);
    expect(add("within")).toMatchObject({ finished: [{ id: "within:0" }], live: [] });
    transcript.handle(ended(), 0);
    expect(add("idle")).toMatchObject({ finished: [{ id: "idle:0" }], live: [] });
  });
});
