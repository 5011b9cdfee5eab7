import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import type { PendingPermission } from "@/permissions/request.ts";
import { blocksOf } from "../support/playSession.ts";
import { liveAgent } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

const PLAN = { name: "ExitPlanMode", arguments: { plan: "1. Write it\n2. Test it" } };

async function planned(options: AgentOptions) {
  using folder = tempFolder();
  await using live = await liveAgent(folder.path, [{ call: PLAN }, { say: "done" }, { say: "more" }], {
    options: { permissionMode: "plan", ...options },
  });
  const end = await live.agent.sendMessage("go");
  const mode = live.agent.permissionMode;
  await live.agent.sendMessage("and now?");
  const told = live.model.requests.map(({ text }) => text.includes("# Plan mode"));
  const modes = live.events.flatMap((event) => (event.type === "mode_changed" ? [event.mode] : []));
  return { end, mode, modes, told, tool: blocksOf(live.agent.messages, "tool")[0] };
}

describe("a plan", () => {
  it("that a person approves ends plan mode; the model is told of the mode as long as it lasts (T28)", async () => {
    const asked: PendingPermission[] = [];
    const { mode, modes, told, tool } = await planned({
      onPermissionRequest: (request) => {
        asked.push(request);
        return { decision: "allow" };
      },
    });
    expect(asked).toMatchObject([
      {
        toolName: "ExitPlanMode",
        input: PLAN.arguments,
        askedBy: ["mode plan"],
        rule: { offered: false, mode: "acceptEdits" },
      },
    ]);
    expect({ mode, modes, told }).toEqual({
      mode: "default",
      modes: ["default"],
      told: [true, false, false],
    });
    expect(tool?.result).toBe("The user approved the plan. The mode is default now: carry it out.");
  });

  it.each<[string, AgentOptions]>([
    ["a person refuses", { onPermissionRequest: () => ({ decision: "deny" }) }],
    ["nobody can be asked about", {}],
    [
      "a hook denies",
      {
        hooks: {
          PreToolUse: [{ hooks: [{ type: "function", run: () => ({ decision: "block", reason: "no" }) }] }],
        },
      },
    ],
  ])("that %s leaves plan mode on (T28, G13)", async (_what, options) => {
    const { mode, told, tool } = await planned(options);
    expect(mode).toBe("plan");
    expect(told.every(Boolean)).toBe(true);
    expect(tool?.success).toBe(false);
  });

  it("in another mode is no question, and changes no mode", async () => {
    const { mode, told, tool } = await planned({ permissionMode: "default" });
    expect({ mode, told }).toEqual({ mode: "default", told: [false, false, false] });
    expect(tool?.result).toBe("This is not plan mode: go on with the work.");
  });

  it("with all edits allowed keeps the mode that came with the yes", async () => {
    using folder = tempFolder();
    const choose = () => {
      live.agent.permissionMode = "acceptEdits";
      return { decision: "allow" as const };
    };
    await using live = await liveAgent(folder.path, [{ call: PLAN }, { say: "done" }], {
      options: { permissionMode: "plan", onPermissionRequest: () => choose() },
    });
    await live.agent.sendMessage("go");
    expect(live.agent.permissionMode).toBe("acceptEdits");
    expect(blocksOf(live.agent.messages, "tool")[0]?.result).toContain("The mode is acceptEdits now");
  });
});
