import { describe, expect, it } from "vitest";
import { NarrowedPolicy } from "@/gate/narrowedPolicy.ts";
import { NOT_AHEAD, type Decides, type PolicyDecision } from "@/gate/seams.ts";
import { PERMISSION_MODES, type PermissionMode } from "@/permissions/modes.ts";

const LET_THROUGH: PolicyDecision = {
  decision: "allow",
  by: "mode",
  reason: "",
  askedBy: [],
  bounds: "none",
  rules: [],
  offer: () => ({ offered: false, why: "nothing to offer" }),
  searchFilter: undefined,
  hidden: () => [],
  judgedFiles: [],
  namedHost: true,
};

const policy = (says: Partial<PolicyDecision>, mode: PermissionMode = "default"): Decides => ({
  mode,
  see: () => unused(),
  absolutePath: () => unused(),
  lookAhead: () => unused(),
  decide: () => ({ ...LET_THROUGH, ...says }),
});

const together = (parent: Partial<PolicyDecision>, own: Partial<PolicyDecision>) => {
  const call = { final: undefined, original: undefined, origin: "model", ahead: NOT_AHEAD };
  const opinion = { hook: { says: "nothing" }, unreviewed: [] };
  // The two policies do not look at the call.
  return new NarrowedPolicy(policy(parent), policy(own)).decide(call as never, opinion as never);
};

describe("what a sub-agent may do", () => {
  const decisions = ["allow", "ask", "deny"] as const;
  const pairs = decisions.flatMap((parent) => decisions.map((own) => [parent, own] as const));
  it.each(pairs)("is the stricter of what its parent (%s) and it itself (%s) may", (parent, own) => {
    const strictest = Math.max(decisions.indexOf(parent), decisions.indexOf(own));
    expect(together({ decision: parent, by: "parent" }, { decision: own, by: "own" })).toMatchObject({
      decision: decisions[strictest],
      by: decisions.indexOf(parent) === strictest ? "parent" : "own",
    });
  });

  it("leaves out every file that the rules of either keep back", () => {
    const parent = { hidden: () => [{ path: "/parent", isFolder: false }] };
    const own = { hidden: () => [{ path: "/own", isFolder: false }] };
    expect(together(parent, own).hidden("none")).toEqual([...parent.hidden(), ...own.hidden()]);
    const filter = (name: string) => (path: string) => (path.includes(name) ? name : undefined);
    for (const [first, second] of [
      [filter("parent"), filter("own")],
      [filter("parent"), undefined],
      [undefined, filter("own")],
    ] as const) {
      const { searchFilter } = together({ searchFilter: first }, { searchFilter: second });
      expect(searchFilter?.("/parent")).toBe(first && "parent");
      expect(searchFilter?.("/own")).toBe(second && "own");
    }
  });

  it("only reads when either of them only reads, and reaches a host that the rules of both name", () => {
    const both = ["read-only", "none"] as const;
    for (const parent of both) {
      for (const own of both) {
        const bounds = parent === "none" && own === "none" ? "none" : "read-only";
        expect(together({ bounds: parent }, { bounds: own }).bounds).toBe(bounds);
      }
    }
    for (const parent of [true, false])
      for (const own of [true, false])
        expect(together({ namedHost: parent }, { namedHost: own }).namedHost).toBe(parent && own);
  });

  it("names each rule that spoke once, those that counted first", () => {
    const rule = (text: string, behavior: "allow" | "deny") => ({ rule: text, behavior, source: "settings" });
    const parent = { rules: [rule("Bash", "allow")], decision: "allow" as const };
    const own = { rules: [rule("Read", "deny"), rule("Bash", "allow")], decision: "deny" as const };
    expect(together(parent, own).rules.map((one) => one.rule)).toEqual(["Read", "Bash"]);
  });

  it("is told to hooks as the stricter mode, whoever of them has it", () => {
    const order: PermissionMode[] = ["bypassPermissions", "acceptEdits", "default", "plan", "dontAsk"];
    expect(order.toSorted()).toEqual([...PERMISSION_MODES].toSorted());
    for (const [i, looser] of order.entries())
      for (const stricter of order.slice(i)) {
        expect(new NarrowedPolicy(policy({}, looser), policy({}, stricter)).mode).toBe(stricter);
        expect(new NarrowedPolicy(policy({}, stricter), policy({}, looser)).mode).toBe(stricter);
      }
  });
});

function unused(): never {
  throw new Error("nobody asks for this");
}
