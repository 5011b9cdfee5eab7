import { GIT_ESCAPES } from "../programs/git/runs.ts";
import { row } from "./row.ts";

/** Git, and the tools of a shell that write or run something with the right option. */
export const TOOLS = [
  row("git", {
    rules: [
      "status|log|show|rev-parse|ls-files|describe",
      "add|commit",
      "checkout -b",
      "switch -c|--create",
      "stash list|show",
    ],
    refuses: GIT_ESCAPES.join(" "),
    words: "any",
  }),
  row("find", {
    refuses: "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls",
    words: "any",
  }),
  row("fd fdfind", { refuses: "-x -X --exec --exec-batch", words: "any" }),
  row("rg", { refuses: "--pre --hostname-bin --search-zip -z", words: "any" }),
  row("sort", { refuses: "-o --output --compress-program", words: "any" }),
  row("tree", { refuses: "-o -R", words: "any" }),
  row("iconv shuf", { refuses: "-o --output", words: "any" }),
  row("file", { refuses: "-C --compile -z -Z --uncompress --uncompress-noreport", words: "any" }),
  row("date", { refuses: "-s --set", words: "any" }),
  row("yq", { refuses: "-i --inplace --in-place", words: "any" }),
  row("less", { refuses: "-o -O --log-file --LOG-FILE", words: "any" }),
  row("man", { refuses: "-P --pager -H --html", words: "any" }),
  row("tar", {
    refuses: "-I --use-compress-program --to-command --checkpoint-action --rsh-command -F --info-script",
    words: "any",
  }),
  row("test [", { refuses: "-v -R", words: "any" }),
];
