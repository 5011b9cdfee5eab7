import type { ProgramCall } from "../walk/programCall.ts";
import { literalOf } from "../words/expand.ts";

/**
 * Programs that say who they are and do nothing else, each with the words for it beside `--version`. Not among them are those
 * that first look what the project wants them to be and start or fetch it (yarn, pnpm, cargo, rustc, go, mvn, gradle, dotnet,
 * bundle, composer), that load what the project brings (tsc, eslint, pytest, bun, docker-compose), or that ask a server
 * (terraform, kubectl).
 */
const SAY_VERSION = new Map(
  (
    "node:-v npm:-v npx:-v python:-V python3:-V pip:-V pip3:-V java:-version javac:-version ruby:-v perl:-v php:-v deno:-V " +
    "gcc g++ clang clang++ cc c++ make cmake ninja docker:-v git:-v gh curl:-V wget:-V openssl:version ssh:-V " +
    "sqlite3:-version psql:-V redis-cli:-v jq:-V rg:-V fd:-V tar grep sed awk gawk find ls cat head tail sort wc diff tree less " +
    "zip:-v unzip:-v rsync tmux:-V"
  )
    .split(" ")
    .map((row) => {
      const [name = "", word] = row.split(":");
      return [name, word] as const;
    }),
);

/** Of these it depends on the project's settings whether they write or send anything on the way. */
const HEEDING: ReadonlySet<string> = new Set(["npm", "npx"]);

/** `npm --version`, and no other word. */
export function asksForVersion(call: ProgramCall): boolean {
  const { name, args } = call;
  const [word, ...others] = args.map(literalOf);
  if (!SAY_VERSION.has(name) || others.length > 0 || word === undefined) return false;
  const asks = word === "--version" || word === SAY_VERSION.get(name);
  if (asks && HEEDING.has(name)) call.heeds("npm says its version");
  return asks;
}
