import { describe, expect, it } from "vitest";
import { effectsOf } from "@/hooks/effects.ts";
import { HOOK_EVENTS } from "@/hooks/events.ts";
import { recipientsOf } from "@/hooks/recipients.ts";
import { readVerdict } from "@/hooks/verdict.ts";
import { OTHER_EVENTS } from "../support/playedEvents.ts";

type OtherEvent = (typeof OTHER_EVENTS)[number];

const JUDGED = { name: "hook", source: "settings", onError: "continue" } as const;
const printing = (output: object) => ({
  success: true,
  exitCode: 0,
  duration: 0,
  timedOut: false,
  stdout: JSON.stringify(output),
});

/** What follows when a hook of such an event exits with 2: who reads why, and what Wave does. */
const BLOCKED: Record<OtherEvent, { reads: "model" | "user"; does?: string }> = {
  PostToolUseFailure: { reads: "model" },
  PermissionRequest: { reads: "model", does: "deny-tool" },
  TaskCreated: { reads: "model", does: "deny-tool" },
  TaskCompleted: { reads: "model", does: "deny-tool" },
  PreCompact: { reads: "user", does: "refuse-change" },
  PostToolBatch: { reads: "user", does: "end-turn" },
  PermissionDenied: { reads: "user" },
  StopFailure: { reads: "user" },
  Interrupt: { reads: "user" },
  Notification: { reads: "user" },
  PostCompact: { reads: "user" },
  InstructionsLoaded: { reads: "user" },
  CwdChanged: { reads: "user" },
  UserPromptExpansion: { reads: "user", does: "refuse-change" },
  PreModelRequest: { reads: "user" },
  PostModelRequest: { reads: "user" },
  PostModelSwitch: { reads: "user" },
  Elicitation: { reads: "user", does: "refuse-change" },
  ElicitationResult: { reads: "user", does: "refuse-change" },
};

describe.each(OTHER_EVENTS)("a %s hook", (event) => {
  const { reads, does } = BLOCKED[event];

  it("that exits with 2 does what the table says, and tells whom it concerns (SC-004)", () => {
    const result = { success: false, exitCode: 2, stderr: "MARK", duration: 0, timedOut: false };
    const { model, user } = recipientsOf(event, result, "MARK");
    expect([model, user.length > 0]).toEqual([reads === "model", true]);
    const effects = effectsOf(event, [readVerdict(event, result, JUDGED)]);
    expect(effects.map((effect) => effect.do)).toContain(
      does ?? (reads === "model" ? "tell-model" : "tell-user"),
    );
  });

  it("that prints continue: false ends the turn, or is told that it ends nothing", () => {
    const effects = effectsOf(event, [
      readVerdict(event, printing({ continue: false, stopReason: "MARK" }), JUDGED),
    ]);
    const ends = !("endsNothing" in HOOK_EVENTS[event]);
    expect(effects.at(-1)).toMatchObject(
      ends
        ? { do: "end-turn", reason: "MARK" }
        : { do: "tell-user", text: expect.stringContaining("ends nothing: MARK") as string },
    );
  });
});

describe("an answer of a PermissionRequest hook", () => {
  const answer = (decision: object) =>
    readVerdict(
      "PermissionRequest",
      printing({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } }),
      JUDGED,
    );

  it.each([
    [{ behavior: "allow" }, { decision: "allow", halt: undefined }],
    [
      { behavior: "deny", message: "not now" },
      { decision: "deny", reason: { text: "not now", from: "json" } },
    ],
    [
      { behavior: "deny", message: "stop", interrupt: true },
      { decision: "deny", halt: "stop" },
    ],
    // What would run is what hooks and rules judged: an allow of something else is no answer.
    [{ behavior: "allow", updatedInput: { command: "ls" } }, { decision: "none" }],
    [{ behavior: "perhaps" }, { decision: "none", failure: { kind: "invalid" } }],
  ])("%o is read as Claude Code reads it, or not at all", (decision, expected) => {
    expect(answer(decision)).toMatchObject(expected);
  });

  it("with updatedPermissions counts for this call alone, and its author is told", () => {
    const { decision, warnings } = answer({ behavior: "allow", updatedPermissions: [{}] });
    expect(decision).toBe("allow");
    expect(warnings).toEqual([expect.stringContaining("updatedPermissions is not used")]);
  });
});
