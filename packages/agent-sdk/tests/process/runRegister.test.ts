import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { registersOf, RunRegister } from "@/process/runRegister.ts";
import { startProcess } from "@/services/process.ts";
import { tempFolder } from "../support/tempFolder.ts";

it("a process is noted before it starts, and its note is gone when it has ended (G48)", async () => {
  using home = tempFolder();
  using register = new RunRegister(home.path);
  const notes = () => {
    const [folder = ""] = readdirSync(registersOf(home.path));
    return readdirSync(join(registersOf(home.path), folder));
  };
  const running = startProcess({
    file: "bash",
    args: ["-c", "read -r line"],
    cwd: home.path,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    keepsInputOpen: true,
    keepBytes: 1_000,
    register,
  });
  expect(notes()).toHaveLength(1);
  running.write("go on\n");
  expect(await running.done).toMatchObject({ end: "exited", code: 0 });
  expect(notes()).toEqual([]);
});
