import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, it, vi } from "vitest";
import { Agent } from "@/agent.js";
import { callAgent } from "@/services/aiService.js";
import { executeHooks } from "@/services/hook.js";
import { saveSession } from "@/services/session.js";

vi.mock("@/services/session", () => ({
  saveSession: vi.fn(),
  loadSession: vi.fn(),
  getLatestSession: vi.fn(),
  cleanupExpiredSessions: vi.fn(),
}));
vi.mock("@/services/aiService");
vi.mock("@/services/hook");

beforeEach(() => void vi.resetAllMocks());

it("is created without a key, and mocks that return undefined mean nothing happened (TS-1)", async () => {
  const agent = await Agent.create({ env: {} });
  const end = await agent.sendMessage("hello");
  expect(end).toMatchObject({ because: "done", answer: "" });
  expect(agent.messages.map((message) => message.role)).toEqual(["user"]);
  expect(vi.mocked(executeHooks).mock.calls.map(([event]) => event)).toEqual([
    "SessionStart",
    "UserPromptSubmit",
    "Stop",
  ]);
  expect(vi.mocked(callAgent)).toHaveBeenCalledOnce();
  expect(vi.mocked(saveSession)).toHaveBeenCalled();
  await agent.destroy();
  expect(vi.mocked(executeHooks).mock.calls.at(-1)?.[0]).toBe("SessionEnd");
});

it("starts no process, opens no socket and writes no file with its services mocked (TS-1)", () => {
  const strace = spawnSync("strace", ["-V"]);
  if (strace.error) {
    process.stderr.write(
      "skipped: strace is not installed, so the system calls of a mocked agent were not looked at\n",
    );
    return;
  }
  const script = fileURLToPath(new URL("mockedAgentProgram.mjs", import.meta.url));
  const calls = "execve,connect,bind,open,openat,creat,mkdir,unlink,rename";
  const run = spawnSync(
    "strace",
    ["-f", "-e", `trace=${calls}`, process.execPath, "--conditions=@wave/source", script],
    {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  expect(run.stdout).toBe("done\n");
  const between = run.stderr.slice(run.stderr.indexOf("AGENT-BEGINS"), run.stderr.indexOf("AGENT-ENDS"));
  const suspicious = between
    .split("\n")
    .filter((line) =>
      /execve\(|connect\(|bind\(|O_CREAT|O_WRONLY|O_RDWR|creat\(|mkdir\(|unlink\(|rename\(/.test(line),
    )
    .filter((line) => !line.includes("/dev/null") && !line.includes("AGENT-"));
  expect(between).toContain("AGENT-BEGINS");
  expect(suspicious).toEqual([]);
});
