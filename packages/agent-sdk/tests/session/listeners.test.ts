import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import type { AgentEvent } from "@/events.ts";
import { Listeners } from "@/session/listeners.ts";
import { tempFolder } from "../support/tempFolder.ts";

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
    (code, text) => void warnings.push(`${code}: ${text}`),
  );
  listeners.hear({ type: "turn_started", prompt: "x" });
  listeners.hear({ type: "messages_changed", message: undefined });
  listeners.hear({ type: "shell_ended", end: { ran: true, success: true, result: "" } });
  expect(heard).toEqual([true, "messages", false]);
  const once =
    "WAVE_LISTENER: the listener onEvent failed at turn_started: no such row; if it fails again, that is counted and not told";
  expect(warnings).toEqual([once]);
  listeners.sumUp();
  expect(warnings).toEqual([once, "WAVE_LISTENER: the listener onEvent failed 3 times in all"]);
});

it("a listener that is an async function and rejects is told like any other", async () => {
  const warnings: string[] = [];
  const rejected = Promise.withResolvers<void>();
  const listeners = new Listeners(
    { onEvent: (): unknown => rejected.promise },
    (code, text) => void warnings.push(`${code}: ${text}`),
  );
  listeners.hear({ type: "turn_started", prompt: "x" });
  rejected.reject(new Error("late"));
  await rejected.promise.catch(() => {});
  expect(warnings).toEqual([expect.stringContaining("the listener onEvent failed at turn_started: late")]);
});

it("a notice that nobody listens to becomes a warning of the process, and one that is heard does not", () => {
  const warnings: string[] = [];
  const warn = (code: string, text: string) => void warnings.push(`${code}: ${text}`);
  const notices: AgentEvent[] = [
    { type: "notice", level: "error", text: "a hook is left out" },
    { type: "notice", level: "warning", text: "hooks wait", about: "project-hooks" },
    { type: "notice", level: "warning", text: "it changed", about: "settings-change" },
    { type: "notice", level: "info", text: "by the way" },
  ];
  const deaf = new Listeners({ callbacks: { onLoadingChange: () => {} } }, warn);
  for (const notice of notices) deaf.hear(notice);
  expect(warnings.splice(0)).toEqual([
    "WAVE_NOTICE: a hook is left out",
    "WAVE_PROJECT_HOOKS: hooks wait",
    "WAVE_SETTINGS_CHANGE: it changed",
  ]);
  const listening = new Listeners({ onEvent: () => {} }, warn);
  for (const notice of notices) listening.hear(notice);
  expect(warnings).toEqual([]);
});

it("a program that listens to nothing hears once of settings that are wrong, with a code", async () => {
  using folder = tempFolder();
  const warnings: { code?: string; message: string }[] = [];
  const listen = (warning: Error) => void warnings.push(warning);
  process.on("warning", listen);
  const home = join(folder.path, "home");
  mkdirSync(home);
  writeFileSync(join(home, "settings.json"), JSON.stringify({ hooks: { PreToolUes: [{ hooks: [] }] } }));
  for (let times = 0; times < 2; times++) {
    const agent = await Agent.create({ workdir: folder.path, waveHome: home, env: {} });
    await agent.destroy();
  }
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", listen);
  expect(warnings).toMatchObject([{ code: "WAVE_NOTICE", message: expect.stringContaining("PreToolUes") }]);
});
