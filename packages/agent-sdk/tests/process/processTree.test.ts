import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { ProcessTree } from "@/process/processTree.ts";
import { waitFor } from "../support/waitFor.ts";

const stateOf = (pid: number) => /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1];

it.skipIf(process.platform !== "linux")(
  "a process that has ended and that nobody has reaped is gone: it holds nothing any more (G38)",
  async () => {
    // `sleep` takes the shell's place and never asks for the end of the shell's child.
    const parent = spawn("bash", ["-c", "setsid sh -c 'echo $$' & exec sleep 60"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const lines = createInterface({ input: parent.stdout });
      const pid = await new Promise<number>((resolve) => lines.once("line", (line) => resolve(Number(line))));
      await waitFor("it has ended", () => stateOf(pid) === "Z");
      expect(new ProcessTree(pid, "no such run", { sparesLeader: false }).isGone()).toBe(true);
    } finally {
      parent.kill("SIGKILL");
    }
  },
);
