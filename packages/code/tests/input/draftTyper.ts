import { DraftKeeper } from "../../src/input/draft.ts";

// A program that types until it is killed, and says what it has typed. Arguments: home, project folder.
const [, , home = "", projectDir = ""] = process.argv;
const keeper = new DraftKeeper({ home, projectDir });
let typed = 0;
setInterval(() => {
  typed++;
  keeper.change(`draft ${typed} ${"ü".repeat(5_000)}`);
  process.stdout.write(`${Date.now()} ${typed}\n`);
}, 5);
