import type { Program, ProgramCall } from "../walk/programCall.ts";
import { literalOf } from "../words/expand.ts";
import { optionList, parseArgs } from "./options.ts";

/** Package managers run what the project tells them to; of what they write, their own settings are known. */
function packageSettings(files: readonly string[]): Program {
  return (call) => {
    const words = call.args.map(literalOf);
    const at = words.findIndex((word) => word === "config" || word === "c" || word === "set");
    const changes =
      at >= 0 && (words[at] === "set" || /^(set|delete|rm|edit|add|fix)$/.test(words[at + 1] ?? "set"));
    if (changes) {
      for (const file of files) {
        call.write(file);
        for (const home of call.scope.variables.get("HOME") ?? []) call.write(`${home}/${file}`);
      }
    }
    call.opaque(`${call.name} runs what the project tells it to`);
  };
}

const NPM_LISTS = optionList(
  "a l p all json long parseable depth= omit= include= link package-lock-only unicode no-unicode",
);

/**
 * `npm ls` and `npm run` say what is installed and which scripts there are, without running any, where the project's settings
 * tell npm nothing else. `npm view` and `npm outdated` are no such thing: they tell a registry what they are asked for.
 */
function npmOnlyLists(call: ProgramCall): boolean {
  const [command, ...rest] = call.args;
  const word = literalOf(command) ?? "";
  const parsed = parseArgs(rest, NPM_LISTS);
  const lists = /^(ls|list)$/.test(word) || (/^(run|run-script)$/.test(word) && rest.length === 0);
  if (!lists || parsed.doubt !== undefined) return false;
  if (!parsed.operands.every((arg) => /^@?\w[\w./@-]*$/.test(literalOf(arg) ?? ""))) return false;
  call.heeds("npm lists");
  for (const file of ["package.json", "package-lock.json"]) call.read(file);
  call.read("node_modules", { below: true });
  return true;
}

function pipSettings(call: ProgramCall): void {
  const words = call.args.map(literalOf);
  if (words.includes("config") && words.some((word) => /^(set|unset|edit)$/.test(word ?? "set")))
    for (const home of call.scope.variables.get("HOME") ?? []) call.write(`${home}/.config/pip/pip.conf`);
  call.opaque(`${call.name} runs what packages tell it to`);
}

/** They exist to write git's hooks. */
function gitHooks(call: ProgramCall): void {
  call.write(".git/hooks", { below: true });
  call.opaque(`${call.name} runs what the project tells it to`);
}

/** They run what the project or its packages tell them to, and write what is known of their own settings. */
export const PACKAGE_MANAGERS: Readonly<Record<string, Program>> = {
  npm: (call) => {
    if (!npmOnlyLists(call)) packageSettings([".npmrc"])(call);
  },
  pnpm: packageSettings([".npmrc"]),
  yarn: packageSettings([".yarnrc.yml", ".yarnrc"]),
  husky: gitHooks,
  "pre-commit": gitHooks,
  lefthook: gitHooks,
  "simple-git-hooks": gitHooks,
  pip: pipSettings,
  pip3: pipSettings,
};
