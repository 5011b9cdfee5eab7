import { describe, expect, it } from "vitest";
import { describeProblem } from "@/services/settings/problem.ts";
import { SettingsFiles, settingsOf } from "../../support/settingsFiles.ts";

describe("a rule in a settings file that cannot be read", () => {
  const bad: [rule: string, why: RegExp][] = [
    ["bash(ls)", /names no tool of Wave; did you mean Bash\?; it /],
    ["Read(!x)", /a path cannot be negated/],
    ["Grep(src)", /has \(…\), which Wave knows only for Bash, Read, Edit and Write; leave it out; it /],
    ["Bash(", /is not a tool name/],
  ];
  it.each(bad)("%s is reported with its place, and the other rules count (G10)", (rule, why) => {
    using files = new SettingsFiles();
    const { problems, permissions } = files
      .write("project", { permissions: { allow: [rule], ask: ["Bash", rule], deny: [rule, "Read(x)"] } })
      .load();
    const file = files.files.project;
    const message = expect.stringMatching(why);
    expect(problems).toEqual([
      { severity: "warning", file, line: 4, path: "permissions.allow[0]", message },
      { severity: "error", file, line: 8, path: "permissions.ask[1]", message },
      { severity: "error", file, line: 11, path: "permissions.deny[0]", message },
    ]);
    expect(permissions.rules.map((given) => given.rule)).toEqual(["Bash", "Read(x)"]);
  });

  it("says what it costs that it is not in force (G10)", () => {
    const { problems } = settingsOf({ permissions: { deny: ["bash(ls)"] } });
    expect(problems.map(describeProblem)).toEqual([
      expect.stringMatching(
        /settings\.json:4 \(permissions\.deny\[0\]\): The rule "bash\(ls\)" names no tool of Wave; did you mean Bash\?; it denies nothing until it is mended$/,
      ),
    ]);
  });
});
