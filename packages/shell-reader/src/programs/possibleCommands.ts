import { PROGRAM_VARIABLE } from "./embeddedCommands.ts";
import { COMMAND_BEHIND } from "./wrapperTable.ts";
import { rowOf } from "../ruleTable/table.ts";
import type { PossibleCommands } from "../walk/sightings.ts";
import { literalOf, type Arg } from "../words/expand.ts";

/** Programs with words of their own, as `docker rm x`: of these only what is told to run something counts. */
const HAVE_WORDS = new Set(
  (
    "adb ansible apk apropos apt-cache apt-get az cdk choco code dnf doctl emerge fly flyctl fnm gcloud glab gsutil heroku " +
    "hg hugo jekyll journalctl kustomize launchctl locate mamba mc minikube mongosh netlify nix-env nvm open p4 pacman pkg " +
    "port psql pulumi rclone redis-cli rpm sam scoop sdk service skaffold snap supabase svn systemctl tldr volta vercel " +
    "whatis whereis which winget wrangler xcodebuild xdg-open yum zypper"
  ).split(" "),
);

/** Options whose value is likely a program, whatever the program they belong to. */
const RUNS_VALUE =
  /^--?(?:\w+-)*(?:exec|execute|command|cmd|run|shell|wrapper|program|prog|launcher|pager|editor|askpass|hook|script|spawn)(?:-\w+)*$/i;
const RUNS_LETTER = /^-[cex]$/;
/** Options whose value people read. */
const FOR_PEOPLE =
  /^--?(m|message|msg|t|title|b|body|d|desc|description|n|name|notes?|subject|comment|k|grep|label|text|summary|reason|prompt|p)$/i;

/** No more words than this are tried, as for every wrapper. */
const MOST_STARTS = 64;

/** Of a program that is in none of the tables any word may be anything. */
export const hasOwnWords = (program: string) =>
  HAVE_WORDS.has(program) || COMMAND_BEHIND.has(program) || rowOf(program) !== undefined;

export function possibleCommands(program: string, args: readonly Arg[]): PossibleCommands {
  const commands: (readonly Arg[])[] = [];
  const texts: string[] = [];
  const isOwn = hasOwnWords(program);
  args.slice(0, MOST_STARTS).forEach((arg, at) => {
    const text = literalOf(arg);
    const before = literalOf(args[at - 1]) ?? "";
    const isTold = before === "--" || RUNS_VALUE.test(before) || (!isOwn && RUNS_LETTER.test(before));
    const mayBegin = isTold || !isOwn;
    if (mayBegin && !arg.texts.some((one) => /^(-|$)/.test(one))) commands.push(args.slice(at));
    if (text === undefined) return;
    const [, name = "", value = ""] = /^(--?[A-Za-z][\w-]*|[A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
    if (RUNS_VALUE.test(name) || PROGRAM_VARIABLE.test(name)) texts.push(value);
    const [, glued] = (!isOwn && /^-[cex](\w.*)$/s.exec(text)) || [];
    if (glued !== undefined) texts.push(glued);
    if (text.startsWith("-")) return;
    // A `!` before it says in some programs that a shell is to read it.
    if (/[\s;|&]/.test(text) ? !FOR_PEOPLE.test(before) : isTold) texts.push(text.replace(/^!/, ""));
    // `gcc -wrapper x,y` has the words of its command between commas.
    if (isTold && text.includes(",")) texts.push(text.replaceAll(",", " "));
  });
  return { commands, texts };
}
