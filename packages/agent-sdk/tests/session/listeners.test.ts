import { expect, it } from "vitest";
import { Listeners } from "@/managers/listeners.ts";

const messages = () => [];

it("a listener that throws keeps no other from hearing, and is told once in one line and counted", () => {
  const warnings: string[] = [];
  const heard: unknown[] = [];
  const listeners = new Listeners(
    {
      onEvent: () => {
        throw new Error("no such\nrow");
      },
      callbacks: {
        onMessagesChange: () => heard.push("messages"),
        onLoadingChange: (loading) => heard.push(loading),
      },
    },
    { messages, warn: (text) => warnings.push(text) },
  );
  listeners.hear({ type: "turn_started", prompt: "x" });
  listeners.hear({ type: "messages_changed", message: undefined });
  listeners.hear({ type: "shell_ended", end: { ran: true, success: true, result: "" } });
  expect(heard).toEqual([true, "messages", false]);
  const once =
    "the listener onEvent failed at turn_started: no such row; if it fails again, that is counted and not told";
  expect(warnings).toEqual([once]);
  listeners.sumUp();
  expect(warnings).toEqual([once, "the listener onEvent failed 3 times in all"]);
});

it("a listener that is an async function and rejects is told like any other", async () => {
  const warnings: string[] = [];
  const rejected = Promise.withResolvers<void>();
  const listeners = new Listeners(
    { onEvent: (): unknown => rejected.promise },
    { messages, warn: (text) => warnings.push(text) },
  );
  listeners.hear({ type: "turn_started", prompt: "x" });
  rejected.reject(new Error("late"));
  await rejected.promise.catch(() => {});
  expect(warnings).toEqual([expect.stringContaining("the listener onEvent failed at turn_started: late")]);
});
