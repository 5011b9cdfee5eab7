import type { ProgramCall } from "../../walk/programCall.ts";
import { literalOf, type Arg } from "../../words/expand.ts";
import { optionList, parseArgs } from "../options.ts";

const CONFIG = optionList(
  "e f= l z add all blob= bool bool-or-int comment= default= edit expiry-date file= fixed-value get get-all get-color get-regexp " +
    "get-urlmatch global includes int list local name-only no-includes no-type null path remove-section rename-section replace-all " +
    "show-names show-origin show-scope system type= unset unset-all value= worktree",
);

export const homesOf = (call: ProgramCall, file: string) =>
  (call.scope.variables.get("HOME") ?? []).map((home) => `${home}/${file}`);

/** Settings that hold no secret, wherever they stand; an address or a header may. */
const PUBLIC_SETTING =
  /^(user\.(name|email)|(init|core|pull|push|fetch|merge|rebase|commit|color|log|branch)(\.[\w/-]+)+)$/i;

/** Settings of git name programs that git runs. */
export function config(call: ProgramCall, rest: readonly Arg[]): void {
  const parsed = parseArgs(rest, CONFIG);
  const [first] = parsed.operands.map(literalOf);
  const onlyAsks = rest.every(
    (arg) => !(literalOf(arg) ?? "-").startsWith("-") || /^--get(-all)?$/.test(arg.source),
  );
  if (onlyAsks && parsed.operands.length === 1 && PUBLIC_SETTING.test(first ?? "")) {
    call.readsWithGit({ shows: false });
    return call.read(".git/config");
  }
  const reads =
    parsed.has("get", "get-all", "get-regexp", "get-urlmatch", "get-color", "l", "list") ||
    first === "list" ||
    first === "get" ||
    (parsed.operands.length === 1 &&
      !/^(set|unset|edit|rename-section|remove-section)$/.test(first ?? "set"));
  const changes = parsed.has(
    "e",
    "edit",
    "add",
    "unset",
    "unset-all",
    "replace-all",
    "rename-section",
    "remove-section",
  );
  const files: (Arg | string)[] = parsed.has("global")
    ? homesOf(call, ".gitconfig")
    : parsed.has("system")
      ? ["/etc/gitconfig"]
      : parsed.values("f", "file");
  for (const file of files.length > 0 ? files : [".git/config"]) {
    if (reads && !changes && parsed.doubt === undefined) call.read(file);
    else call.write(file);
  }
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  // It prints what stands in the person's own files, too.
  call.changes("git config reads and writes settings outside of the project");
}
