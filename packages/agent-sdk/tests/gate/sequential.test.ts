import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fingerprintOf } from "@/hooks/fingerprint.ts";
import { hooksFromOption } from "@/workspace/settings/hooksFromOption.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

const specific = (fields: string) =>
  `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse",${fields}}}'`;

/** Notes what it sees, and acts: with `$content` and `$file` as they were when it was asked. */
const hook = (name: string, act: string, fields: object = {}) => ({
  type: "command",
  name,
  command: `read -r in; [[ $in == *'"pass":2'* ]] && look=2 || look=1
[[ $in =~ \\"content\\":\\"([^\\"]*)\\" ]]; content=\${BASH_REMATCH[1]}
[[ $in =~ \\"file_path\\":\\"([^\\"]*)\\" ]]; file=\${BASH_REMATCH[1]}
echo "${name}$look $content" >> seen.log
${act}`,
  ...fields,
});

const appends = (name: string) =>
  hook(
    name,
    `[ $look = 1 ] && ${specific(`"updatedInput":{"file_path":"'"$file"'","content":"'"$content+${name}"'"}`)}`,
  );
const denies = (name: string) =>
  hook(name, specific(`"permissionDecision":"deny","permissionDecisionReason":"${name} says no"`));

async function write(groups: object[]) {
  const folder = tempFolder();
  const played = await playSession(folder.path, {
    settings: { hooks: { PreToolUse: groups } },
    scenario: [
      { calls: [{ name: "Write", arguments: { file_path: "f.txt", content: "x" } }] },
      { say: "done" },
    ],
  });
  const project = join(folder.path, "project");
  const file = join(project, "f.txt");
  return {
    written: existsSync(file) ? readFileSync(file, "utf8") : undefined,
    seen: readFileSync(join(project, "seen.log"), "utf8").trim().split("\n"),
    warnings: blocksOf(played.messages, "warn").map(({ content }) => content),
    result: blocksOf(played.messages, "tool")[0]?.result,
    record: played.events
      .flatMap((event) => (event.type === "hooks_decided" ? [event.record] : []))
      .find(({ event }) => event === "PreToolUse"),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe("a sequential group", () => {
  it("asks its hooks one after the other, each about the input as those before it changed it, and all of them about what will run (T98)", async () => {
    using played = await write([
      { matcher: "Write", sequential: true, hooks: [appends("a"), appends("b"), appends("c")] },
    ]);
    expect(played.seen.slice(0, 3)).toEqual(["a1 x", "b1 x+a", "c1 x+a+b"]);
    expect(played.seen.slice(3)).toEqual(["a2 x+a+b+c", "b2 x+a+b+c", "c2 x+a+b+c"]);
    expect(played.written).toBe("x+a+b+c");
    // They changed the same field, and meant to.
    expect(played.warnings).toEqual([]);
  });

  it("differs from a group that is not: there the same hooks see the same input, and the later change counts, with a warning (T98)", async () => {
    using played = await write([{ matcher: "Write", hooks: [appends("a"), appends("b")] }]);
    expect(played.seen.slice(0, 2).toSorted()).toEqual(["a1 x", "b1 x"]);
    expect(played.written).toBe("x+b");
    expect(played.warnings.join("\n")).toContain("both changed");
  });

  it("ends with a deny: the rest is not asked, and the record says why (T98)", async () => {
    using played = await write([
      { matcher: "Write", sequential: true, hooks: [appends("a"), denies("b"), appends("c")] },
      { matcher: "Write", hooks: [hook("beside", "exit 0")] },
    ]);
    expect(played.seen.toSorted()).toEqual(["a1 x", "b1 x+a", "beside1 x"]);
    expect(played.written).toBeUndefined();
    expect(played.result).toContain("b says no");
    expect(played.record?.hooks.map(({ name, verdict }) => [name, verdict])).toEqual([
      ["a", "none"],
      ["b", "deny"],
      ["beside", "none"],
    ]);
    expect(played.record?.skipped).toMatchObject([{ name: "c", why: "hook b before it denied" }]);
  });

  it("goes on behind a hook that failed, also where its onError blocks: who passes the broken one must have the others' word (T98, T4)", async () => {
    using played = await write([
      {
        matcher: "Write",
        sequential: true,
        hooks: [hook("broken", "exit 1", { onError: "block" }), denies("b")],
      },
    ]);
    expect(played.seen).toEqual(["broken1 x", "b1 x"]);
    expect(played.written).toBeUndefined();
    expect(played.result).toMatch(/broken[\s\S]*b says no/);
  });

  it("stops at a rewrite that does not fit the tool, and the call is refused (T98, G9)", async () => {
    using played = await write([
      {
        matcher: "Write",
        sequential: true,
        hooks: [hook("odd", specific(`"updatedInput":{"content":7}`)), appends("b")],
      },
    ]);
    expect(played.seen).toEqual(["odd1 x"]);
    expect(played.written).toBeUndefined();
    expect(played.result).toContain("does not fit");
    expect(played.record?.hooks).toMatchObject([
      { name: "odd", rewriteRefused: expect.stringContaining("does not fit") },
    ]);
  });

  it("of prompts ends with a block as well (T98)", async () => {
    using folder = tempFolder();
    const log = (name: string, end: string) => ({
      type: "command",
      name,
      command: `echo ${name} >> seen.log; ${end}`,
    });
    const hooks = [log("a", "exit 0"), log("b", "echo no >&2; exit 2"), log("c", "exit 0")];
    const played = await playSession(folder.path, {
      settings: { hooks: { UserPromptSubmit: [{ sequential: true, hooks }] } },
      scenario: [{ say: "never" }],
    });
    expect(readFileSync(join(folder.path, "project", "seen.log"), "utf8")).toBe("a\nb\n");
    expect(played.requests).toHaveLength(0);
  });
});

describe("an approval of a sequential group", () => {
  const fingerprints = (names: string[], sequential: boolean) => {
    const hooks = names.map((name) => ({ type: "command", command: name }));
    return hooksFromOption({ PreToolUse: [{ sequential, hooks }] })
      .hooks.map((one) => fingerprintOf({ kind: "hook", hook: one, files: [] }))
      .toSorted();
  };

  it("is for its order, and that of another group is not (T41, T98)", () => {
    expect(fingerprints(["a", "b"], true)).not.toEqual(fingerprints(["b", "a"], true));
    expect(fingerprints(["a", "b"], false)).toEqual(fingerprints(["b", "a"], false));
    expect(fingerprints(["a", "b"], true)).not.toEqual(fingerprints(["a", "b"], false));
  });

  it("with a word that is not true or false is reported, and its hooks run at the same time (T49)", () => {
    const { hooks, problems } = hooksFromOption({
      PreToolUse: [{ sequential: "yes", hooks: [{ type: "command", command: "a" }] }],
    });
    expect(hooks[0]?.sequence).toBeUndefined();
    expect(problems).toMatchObject([{ path: "hooks.PreToolUse[0].sequential" }]);
  });
});
