import { describe, expect, it } from "vitest";
import { mightReach, parsePathPattern } from "@/permissions/pathRules.ts";
import { allowedByRules, readCall, ruleMatches, type RuleContext } from "@/permissions/rules.ts";
import { CONTEXT, placed } from "./rulesHelper.ts";

const CASELESS = { ...CONTEXT, caseInsensitive: true };

function holds(
  rule: string,
  does: "read" | "edit",
  paths: string[],
  context: RuleContext = CONTEXT,
): boolean {
  return (
    ruleMatches(placed(rule), readCall({ toolName: "X", effect: { does, paths } }), context) !== undefined
  );
}

function allows(
  rules: string[],
  does: "read" | "edit",
  paths: string[],
  context: RuleContext = CONTEXT,
): boolean {
  const call = readCall({ toolName: "X", effect: { does, paths } });
  return (
    allowedByRules(
      rules.map((rule) => placed(rule)),
      call,
      context,
    ) !== undefined
  );
}

describe("a path rule", () => {
  // Whether it holds back this path as a deny, and lets it through as an allow.
  const rows: [rule: string, path: string, deny: boolean, allow: boolean][] = [
    ["Edit(src/**)", "/proj/src/a.ts", true, true],
    ["Edit(src/**)", "/proj/src", true, true],
    ["Edit(src/**)", "/proj/src/.hidden/x", true, true],
    ["Edit(src/**)", "/proj/srcx/a.ts", false, false],
    ["Edit(src/**)", "/proj/lib/src/a.ts", false, false],
    ["Edit(src/**)", "/proj/src/../lib/a.ts", false, false],
    ["Edit(src/**)", "/proj/lib/../src//./a.ts", true, true],
    ["Edit(src/**)", "/proj/src/a\nb", true, true],
    ["Edit(src/*)", "/proj/src/a.ts", true, true],
    ["Edit(src/*)", "/proj/src/deep/a.ts", true, false],
    ["Edit(./src/a.ts)", "/proj/src/a.ts", true, true],
    ["Edit(./a.ts)", "/proj/sub/a.ts", false, false],
    ["Edit(src/)", "/proj/src/deep/a.ts", true, true],
    ["Edit(src)", "/proj/src/deep/a.ts", true, false],
    ["Edit(*.ts)", "/proj/a.ts", true, true],
    ["Edit(*.ts)", "/proj/deep/er/a.ts", true, true],
    ["Edit(*.ts)", "/proj/a.tsx", false, false],
    ["Edit(.env)", "/proj/sub/.env", true, true],
    ["Edit(.env)", "/proj/sub/.env.local", false, false],
    ["Edit(.env*)", "/proj/.env.local", true, true],
    ["Edit(**/secrets/**)", "/proj/a/secrets/b/c", true, true],
    ["Edit(**/a/**/b)", "/proj/x/a/y/z/b", true, true],
    ["Edit(**/a/**/b)", "/proj/x/a/y/z/c", false, false],
    ["Edit({src,test}/**)", "/proj/test/a", true, true],
    ["Edit(app/(shop)/page.ts)", "/proj/app/(shop)/page.ts", true, true],
    ["Edit(app/(a|b)/*)", "/proj/app/a/x", false, false],
    ["Edit(a[12].ts)", "/proj/a2.ts", true, true],
    ["Edit(a+.ts)", "/proj/aa.ts", false, false],
    ["Edit(app/(a|b)*/x)", "/proj/app/a1/x", false, false],
    ["Edit(app/(a|b)*/x)", "/proj/app/(a|b)1/x", true, true],
    ["Edit([ab]+)", "/proj/ab", false, false],
    ["Edit([ab]+)", "/proj/a+", true, true],
    ["Edit(@(a|b)*)", "/proj/a", false, false],
    ["Edit('x*')", "/proj/x1", false, false],
    ["Edit('x*')", "/proj/'x1'", true, true],
    ['Edit("x*")', '/proj/"x1"', true, true],
    ["Edit(src/*)", "/proj/src/\nb", true, true],
    ["Edit(*)", "/proj/a/b", true, true],
    ["Edit(*)", "/elsewhere/b", true, false],
    ["Edit(**)", "/elsewhere/b", true, false],
    ["Edit(**)", "/proj", true, true],
    ["Edit", "/elsewhere/b", true, true],
    ["Write(//etc/**)", "/etc/passwd", true, true],
    ["Write(//etc/**)", "/proj/etc/passwd", false, false],
    ["Write(/etc/**)", "/proj/etc/passwd", true, true],
    ["Write(/etc/**)", "/etc/passwd", true, false],
    ["Write(~/x)", "/home/ada/x", true, true],
    ["Write(~/x)", "/proj/~/x", false, false],
    ["Write(~/.ssh/)", "/home/ada/.ssh/id", true, true],
    ["Write(~)", "/home/ada", true, true],
    ["Edit(../other/**)", "/other/a", true, true],
    ["Edit(../other/**)", "/proj/other/a", false, false],
    ["Edit(src/../lib/*)", "/proj/lib/a", true, true],
    ["Edit(**)", "/proj-evil/a", true, false],
    ["Edit(./**)", "/proj-evil/a", false, false],
    ["Edit(./**)", "/proj/../proj-evil/a", false, false],
    ["Edit(//proj/**)", "/proj-evil/a", false, false],
    ["Edit(//proj)", "/proj-evil", false, false],
    ["Edit(~/x)", "/home/ada-evil/x", false, false],
    ["Edit(//)", "/anything/at/all", true, true],
    // What is no usable path is on the strict side of both.
    ["Edit(./x)", "/proj/x\0.txt", true, false],
    ["Edit(./x)", "relative/x", true, false],
    ["Edit(./x)", "", true, false],
    ["Edit(./*)", `/proj/${"a".repeat(256)}`, true, false],
  ];
  it.each(rows)("%s and %j: deny %s, allow %s (G31)", (rule, path, deny, allow) => {
    expect({ deny: holds(rule, "edit", [path]), allow: allows([rule], "edit", [path]) }).toEqual({
      deny,
      allow,
    });
  });

  it("that holds back needs one spelling of a path, one that lets through needs all (G31, G4)", () => {
    const link = ["/proj/src/link", "/etc/passwd"];
    expect(holds("Edit(//etc/**)", "edit", link)).toBe(true);
    expect(holds("Edit(src/**)", "edit", link)).toBe(true);
    expect(allows(["Edit(src/**)"], "edit", link)).toBe(false);
    expect(allows(["Edit(src/**)", "Edit(//etc/passwd)"], "edit", link)).toBe(true);
    expect(allows(["Edit(src/**)"], "edit", [])).toBe(false);
  });

  it("speaks for every tool with its effect and for no other", () => {
    for (const toolName of ["Read", "Grep", "Glob", "LS"]) {
      const call = readCall({ toolName, effect: { does: "read", paths: ["/proj/secrets/key"] } });
      expect(ruleMatches(placed("Read(./secrets/**)"), call, CONTEXT)).toBe("it is about /proj/secrets/key");
      expect(ruleMatches(placed("Read"), call, CONTEXT)).toBe(`it is about ${toolName}`);
      expect(ruleMatches(placed("Edit(./secrets/**)"), call, CONTEXT)).toBeUndefined();
    }
    for (const toolName of ["Edit", "MultiEdit", "Write"]) {
      const call = readCall({ toolName, effect: { does: "edit", paths: ["/proj/secrets/key"] } });
      for (const rule of ["Edit(./secrets/**)", "Write(./secrets/**)", "Edit", "Write"]) {
        expect(ruleMatches(placed(rule), call, CONTEXT), `${rule} and ${toolName}`).toBeDefined();
      }
      expect(ruleMatches(placed("Read"), call, CONTEXT)).toBeUndefined();
    }
  });

  it("takes glob characters in the folder it starts from for what they are (G31)", () => {
    const call = readCall({ toolName: "Edit", effect: { does: "edit", paths: ["/a[1]*/src/x"] } });
    expect(ruleMatches(placed("Edit(src/*)", "/a[1]*"), call, CONTEXT)).toBeDefined();
    const other = readCall({ toolName: "Edit", effect: { does: "edit", paths: ["/a1b/src/x"] } });
    expect(ruleMatches(placed("Edit(src/*)", "/a[1]*"), other, CONTEXT)).toBeUndefined();
  });

  it("ignores case and composition where the file system does (G31)", () => {
    expect(holds("Edit(.wave/*.json)", "edit", ["/proj/.WAVE/Settings.JSON"])).toBe(false);
    expect(holds("Edit(.wave/*.json)", "edit", ["/proj/.WAVE/Settings.JSON"], CASELESS)).toBe(true);
    expect(holds("Edit(caf\u00e9/**)", "edit", ["/Proj/CAFE\u0301/x"], CASELESS)).toBe(true);
  });

  it("that goes up from a star is refused, for nobody can say where it leads (G31)", () => {
    const problem = "`..` cannot follow a star; write the folder itself";
    for (const text of ["src/*/../x", "**/../x", "a?/../x"])
      expect(parsePathPattern(text)).toEqual({ problem });
    expect(parsePathPattern("src/lib/../x")).toEqual(parsePathPattern("src/x"));
  });

  it.each([
    ["all below a folder above it", { folder: "/", names: [], below: true }, true],
    [
      "a name that is not known below a folder above it",
      { folder: "/", names: ["proj"], below: false },
      true,
    ],
    ["the folder above it and nothing in it", { folder: "/", names: [], below: false }, false],
    ["all below a folder beside it", { folder: "/other", names: [], below: true }, false],
  ])("that holds back, and %s: %j might reach it: %s (G31)", (_, touched, reaches) => {
    const pattern = parsePathPattern("./secret/**");
    if ("problem" in pattern) throw new Error(pattern.problem);
    const places = { base: "/proj", home: "/home/me", caseInsensitive: false };
    expect(mightReach(pattern, touched, places)).toBe(reaches);
  });

  it("with many stars ends at once on a long path (G13)", () => {
    const path = `/proj/${"a".repeat(255)}${"/a".repeat(2_000)}`;
    expect(holds("Edit(./a*a*a*b)", "edit", [path])).toBe(false);
    expect(holds(`Edit(./${"**/a/".repeat(30)}b)`, "edit", [path])).toBe(false);
  });
});
