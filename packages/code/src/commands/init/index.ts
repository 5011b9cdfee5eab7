import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Surroundings } from "../../cli/surroundings.ts";
import { printable } from "../../utils/printable.ts";
import { commandsIn, firstInstructions, firstSettings, TELLING_FILES } from "./firstFiles.ts";

/** `wave init`: a first AGENTS.md and a first settings file in this folder. What is there stays as it is. */
export async function runInit(around: Surroundings): Promise<number> {
  const { cwd, stdout, stderr } = around;
  const found = await Promise.all(
    TELLING_FILES.map(async (name) => [name, await textOf(join(cwd, name))] as const),
  );
  const commands = commandsIn(Object.fromEntries(found));
  const files = [
    { name: "AGENTS.md", text: firstInstructions(basename(cwd), commands) },
    { name: ".wave/settings.json", text: firstSettings(commands) },
  ];
  for (const { name, text } of files) {
    const written = await writeNew(join(cwd, name), text);
    if (written === "written") stdout.write(printable(`${name}: written\n`));
    else if (written === "there") stdout.write(printable(`${name}: is there already, and stays as it is\n`));
    else {
      stderr.write(printable(`wave init: ${name} cannot be written: ${written.problem}\n`));
      return 1;
    }
  }
  const rules = commands.map(({ rule }) => rule).join(", ");
  if (rules !== "")
    stdout.write(printable(`These run without a question once you have approved them: ${rules}\n`));
  stdout.write(
    "Read both, change what is wrong, then start wave: it shows them and asks once whether they count.\n",
  );
  return 0;
}

/** Undefined for what is not there or no text: it tells nothing. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    // ENOENT; a folder of that name; one that may not be read.
    return undefined;
  }
}

async function writeNew(path: string, text: string): Promise<"written" | "there" | { problem: string }> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx" });
    return "written";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "EEXIST" ? "there" : { problem: String(code ?? error) };
  }
}
