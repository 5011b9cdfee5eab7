import { describe, expect, it } from "vitest";
import type { ScriptedReply, ScriptedRequest } from "wave-agent-sdk/testing";
import { askedIn } from "./support/asked.ts";
import { processesWith } from "./support/processes.ts";
import { ALL_ALLOWED, bash, hooksOf, READY, sessionLinesOf } from "./support/screenSession.ts";
import type { KeyName } from "./support/keys.ts";
import { shareSession } from "./support/sharedSession.ts";

interface Moment {
  when: string;
  prompt: string;
  /** What is on the screen then. */
  sign: string | RegExp;
  key: KeyName;
  reply?: ScriptedReply;
}

const MOMENTS: Moment[] = [
  { when: "a SessionStart hook runs", prompt: "the first", sign: "hook SessionStart", key: "esc" },
  { when: "a hook judges the prompt", prompt: "slow-prompt", sign: "hook UserPromptSubmit", key: "ctrl-c" },
  {
    when: "the model has not answered",
    prompt: "silence",
    sign: "thinking",
    key: "esc",
    reply: { hang: true },
  },
  {
    when: "the model thinks",
    prompt: "ponder",
    sign: "first this",
    key: "ctrl-c",
    reply: { think: "first this, then that", hang: true },
  },
  {
    when: "an answer streams in",
    prompt: "talk",
    sign: "it all began",
    key: "esc",
    reply: { say: "it all began long ago and", hang: true },
  },
  {
    when: "a call streams in",
    prompt: "call",
    sign: "let me look",
    key: "ctrl-c",
    reply: { say: "let me look", ...bash("echo never"), hang: true },
  },
  {
    when: "a hook judges a call",
    prompt: "judge",
    sign: "hook PreToolUse",
    key: "esc",
    reply: bash("echo slow-pre"),
  },
  {
    when: "a question is on the screen",
    prompt: "ask",
    sign: "allow once",
    key: "ctrl-c",
    reply: bash("echo ask-me"),
  },
  {
    when: "a command runs",
    prompt: "run",
    sign: "begun",
    key: "esc",
    reply: bash("echo begun; sleep 300 & sleep 300"),
  },
  {
    when: "a hook looks at a result",
    prompt: "look",
    sign: "hook PostToolUse",
    key: "ctrl-c",
    reply: bash("echo slow-post"),
  },
  {
    when: "a hook judges the end",
    prompt: "stop",
    sign: "hook Stop",
    key: "esc",
    reply: { say: "slow-stop" },
  },
  {
    when: "Wave waits to ask the model again",
    prompt: "busy",
    sign: /retrying the model in \d+ s/,
    key: "ctrl-c",
    reply: { status: 429, headers: { "retry-after": "60" } },
  },
];

const slowAt = (word: string) => `read -r line; case "$line" in *${word}*) sleep 300;; esac`;
const asks = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}`;

const SETTINGS = hooksOf(
  ["SessionStart", "sleep 300"],
  [
    "UserPromptSubmit",
    `${slowAt("slow-prompt")}; case "$line" in *stubborn*) trap "" TERM; sleep 300;; esac`,
  ],
  ["PreToolUse", `${slowAt("slow-pre")}; case "$line" in *ask-me*) echo '${asks}';; esac`],
  ["PostToolUse", slowAt("slow-post")],
  ["Stop", slowAt("slow-stop")],
);

function replyTo({ body }: ScriptedRequest): ScriptedReply {
  const asked = askedIn({ body });
  const moment = MOMENTS.find(({ prompt }) => prompt === asked);
  return moment?.reply ?? { say: `heard: ${asked}.` };
}

describe("an interrupt", () => {
  const shared = shareSession({ scenario: replyTo, settings: SETTINGS, args: ALL_ALLOWED });

  it.each(MOMENTS)(
    "with $key while $when ends the turn, ends what ran, and the next prompt works (T64, T75, G45)",
    async ({ prompt, sign, key }) => {
      const session = shared();
      const { wave } = session;
      await session.say(prompt);
      await wave.waitForText(sign);
      await wave.press(key);
      await session.idle();

      // A prompt that nothing came of is back in the input.
      await wave.press("ctrl-u");
      await wave.waitForText(READY);
      const next = `next ${MOMENTS.findIndex((moment) => moment.prompt === prompt)}`;
      await session.say(next);
      await wave.waitForText(`heard: ${next}.`);
      await session.idle();
      await expect.poll(() => processesWith(session.mark)).toHaveLength(1);
    },
  );

  it("of a hook that does not want to end is seen at once, and the hook is killed (T64, G45)", async () => {
    const session = shared();
    const { wave } = session;
    await session.say("stubborn");
    await wave.waitForText(/hook UserPromptSubmit (?:for \d+ s )?at UserPromptSubmit/);
    await wave.press("esc");
    const isSaid = () => wave.output.includes("stopping hook UserPromptSubmit ");
    await wave.waitUntil(isSaid, { what: "a word about what stops" });
    await session.idle();
    await wave.waitForText("> stubborn");
    await expect.poll(() => processesWith(session.mark)).toHaveLength(1);
    await wave.press("ctrl-c");
    await wave.waitForText("cleared: Ctrl-Y brings it back");
  });

  it("leaves a session file that says how every turn ended (T64)", async () => {
    const session = shared();
    await session.wave.press("ctrl-d");
    expect(await session.wave.exit).toEqual({ code: 0, signal: null });
    const lines = sessionLinesOf(session.project);
    expect(lines.at(-1)).toMatchObject({ type: "ended" });
    const ends = lines.filter(({ type }) => type === "turn_ended").map(({ because }) => because);
    expect(ends.filter((because) => because === "done")).toHaveLength(MOMENTS.length);
    // Of a prompt that was interrupted before its hooks had let it pass, nothing is kept.
    expect(JSON.stringify(lines)).not.toMatch(/slow-prompt|stubborn/);
    const stages = new Map<string, unknown>();
    for (const { edit } of lines as { edit?: { toolId?: string; changes?: { stage?: unknown } } }[])
      if (edit?.toolId !== undefined && edit.changes?.stage !== undefined)
        stages.set(edit.toolId, edit.changes.stage);
    expect([...stages.values()].filter((stage) => stage !== "ended")).toEqual([]);
  });
});
