import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { blocksOf, playSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

it("a link that is flipped while the question is open leads no tool elsewhere (G30, G32)", async () => {
  using folder = tempFolder();
  const project = join(folder.path, "project");
  for (const name of ["secrets", "real", "../outside"]) {
    mkdirSync(join(project, name), { recursive: true });
    writeFileSync(join(project, name, "key"), "key\n");
  }
  const calls = ["secrets", "../outside"].flatMap((to) =>
    [
      { name: "Read", arguments: { file_path: "key" } },
      { name: "LS", arguments: { path: "" } },
      { name: "Glob", arguments: { path: "", pattern: "*" } },
      { name: "Grep", arguments: { path: "", pattern: ".", output_mode: "content" } },
    ].map((call) => {
      const link = join(project, `${call.name}-${to.length}`);
      symlinkSync("real", link);
      const named = Object.entries(call.arguments).map(([field, value]) =>
        field.endsWith("path") ? [field, join(link, value)] : [field, value],
      );
      return { to, link, call: { name: call.name, arguments: Object.fromEntries(named) } };
    }),
  );
  const played = await playSession(folder.path, {
    settings: { permissions: { deny: ["Read(./secrets/**)"], ask: ["Read"] } },
    scenario: [...calls.map(({ call }) => ({ call })), { say: "done" }],
    options: {
      permissionMode: "default",
      onPermissionRequest: ({ input }) => {
        const flipped = calls.find(({ link }) => JSON.stringify(input).includes(link));
        if (!flipped) throw new Error(JSON.stringify(input));
        rmSync(flipped.link);
        symlinkSync(flipped.to, flipped.link);
        return { decision: "allow" };
      },
    },
  });
  const results = blocksOf(played.messages, "tool").map(({ result = "" }) => result);
  expect(results).toHaveLength(calls.length);
  for (const result of results)
    expect(result).toMatch(
      / leads to .* now, which it did not when the call was judged\. Nothing was read\.$/,
    );
});
