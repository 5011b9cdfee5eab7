import type { ProgramCall } from "./call.ts";
import { literalOf } from "./expand.ts";

/**
 * Programs that say who they are and do nothing else, each with the words for it beside `--version`. Not among them are those
 * that first look what the project wants them to be and start or fetch it: yarn, pnpm, cargo, go, mvn, gradle, dotnet; nor those that load what the project brings: tsc, pytest.
 */
const SAY_VERSION = new Map(
  (
    "node:-v npm:-v npx:-v python:-V python3:-V pip:-V pip3:-V java:-version javac:-version ruby:-v perl:-v php:-v deno:-V " +
    "gcc g++ clang clang++ cc c++ make cmake ninja docker:-v docker-compose git:-v gh curl:-V wget:-V openssl:version ssh:-V " +
    "sqlite3:-version psql:-V redis-cli:-v jq:-V rg:-V fd:-V tar grep sed awk gawk find ls cat head tail sort wc diff tree less " +
    "zip:-v unzip:-v rsync tmux:-V"
  )
    .split(" ")
    .map((row) => {
      const [name = "", word] = row.split(":");
      return [name, word] as const;
    }),
);

/** `npm --version`, and no other word. */
export function asksForVersion({ name, args }: ProgramCall): boolean {
  const [word, ...others] = args.map(literalOf);
  if (!SAY_VERSION.has(name) || others.length > 0 || word === undefined) return false;
  return word === "--version" || word === SAY_VERSION.get(name);
}
