import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import { startScriptedModel, type ScriptedReply } from "@/testing/index.ts";
import { edit, read } from "../support/rewindStage.ts";
import { tempFolder } from "../support/tempFolder.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/rewind/${name}`, import.meta.url));
const LINES = "one\ntwo\nthree\nfour\nfive\n";

/** Two edits of one file and one of another. */
const SCRIPT: ScriptedReply[] = [
  { calls: [read("a.txt"), read("b.txt")] },
  { call: edit("a.txt", "one", "ONE") },
  { call: edit("a.txt", "ONE", "Eins") },
  { call: edit("b.txt", "five", "FIVE") },
  { say: "done" },
];

interface Place {
  project: string;
  home: string;
}

/** Runs the program until it kills itself, "before" or "after" the n-th time a file of the project is replaced. */
async function runUntilKilled(place: Place, when: string, what: "prompt" | "rewind"): Promise<void> {
  const [side = "", at = ""] = when.split(" ");
  await using model = await startScriptedModel(SCRIPT);
  const args = ["--conditions=@wave/source", "--import", fixture("killAtRename.mjs"), fixture("program.ts")];
  const child = spawn(process.execPath, [...args, place.project, place.home, model.baseUrl, what], {
    env: { ...process.env, WAVE_KILL: side, WAVE_KILL_AT: at, WAVE_KILL_IN: place.project },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const signal = await new Promise((resolve) => child.once("exit", (_code, by) => resolve(by)));
  expect(signal).toBe("SIGKILL");
}

const contents = ({ project }: Place) =>
  ["a.txt", "b.txt"].map((name) => readFileSync(join(project, name), "utf8"));

describe("kill -9 around a change of a file", () => {
  const first = { a: "one", b: "five" };
  const moments: [when: string, what: "prompt" | "rewind", left: typeof first][] = [
    ["before 1", "prompt", first],
    ["after 1", "prompt", { a: "ONE", b: "five" }],
    ["before 2", "prompt", { a: "ONE", b: "five" }],
    ["after 2", "prompt", { a: "Eins", b: "five" }],
    ["after 3", "prompt", { a: "Eins", b: "FIVE" }],
    ["before 4", "rewind", { a: "Eins", b: "FIVE" }],
    ["after 4", "rewind", { a: "one", b: "FIVE" }],
    ["before 5", "rewind", { a: "one", b: "FIVE" }],
    ["after 5", "rewind", first],
  ];

  it.each(moments)(
    "%s, during the %s, leaves what a rewind puts back whole (G50, G53, T192)",
    async (when, what, left) => {
      using folder = tempFolder();
      const place = { project: join(folder.path, "project"), home: join(folder.path, "home") };
      mkdirSync(place.project);
      for (const name of ["a.txt", "b.txt"]) writeFileSync(join(place.project, name), LINES);
      await runUntilKilled(place, when, what);
      expect(contents(place)).toEqual([LINES.replace("one", left.a), LINES.replace("five", left.b)]);

      const agent = await Agent.create({
        workdir: place.project,
        waveHome: place.home,
        env: {},
        resume: "latest",
      });
      const [point] = agent.rewindPoints();
      expect(agent.messages.length).toBeGreaterThan(1);
      const { files } = await agent.rewind(point?.messageId ?? "", { files: true });
      expect(files.filter((file) => file.outcome === "kept" && !/already as it was/.test(file.why))).toEqual(
        [],
      );
      expect(contents(place)).toEqual([LINES, LINES]);
      await agent.destroy();
    },
  );
});
