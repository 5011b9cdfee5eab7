import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import type { AgentOptions } from "../agentOptions.ts";
import { OptionsError, type OptionProblem } from "../errors.ts";
import { inProcessSchema, isServerName } from "../hooks/mcpServers.ts";
import { errorCode } from "../utils/errorCode.ts";
import { isPlainObject, kindOfValue } from "../utils/kindOfValue.ts";
import { OPTIONS } from "./optionSchemas.ts";
import { OwnTool } from "../ownTool.ts";
import { plainCopy } from "./plainCopy.ts";
import { problemsOf, unknownName } from "./problems.ts";

/**
 * The options of a program as Wave goes on with them: checked, whether or not a compiler has seen them, and a copy, so that
 * nothing the program does to its own objects later takes a guard away. Throws OptionsError with everything that is wrong.
 */
export function checkOptions(given: unknown, knownTools: readonly string[]): AgentOptions {
  const problems: OptionProblem[] = [];
  if (!isPlainObject(given))
    throw new OptionsError([
      { path: "options", problem: `must be an object such as { workdir: "." }, not ${kindOfValue(given)}` },
    ]);
  const options = copyOf(given, problems);
  for (const [key, value] of Object.entries(options)) {
    if (!isOption(key))
      problems.push(unknownName(key, key, "an option of Agent.create", Object.keys(OPTIONS)));
    else if (value !== undefined) {
      const { data, own } = apart(key, value);
      problems.push(...problemsOf(OPTIONS[key](knownTools), data, key));
      for (const [name, server] of own)
        problems.push(...problemsOf(inProcessSchema(), server, `${key}.${name}`));
    }
  }
  if (problems.length > 0) throw new OptionsError(withoutRepeats(problems));
  return options;
}

/** MCP servers that live in the program are no data, and no file can name one. */
function apart(key: string, value: unknown): { data: unknown; own: [string, unknown][] } {
  if (key !== "mcpServers" || !isPlainObject(value)) return { data: value, own: [] };
  const isOwn = ([name, server]: [string, unknown]) =>
    isServerName(name) && isPlainObject(server) && "instance" in server;
  const servers = Object.entries(value);
  return { data: Object.fromEntries(servers.filter((one) => !isOwn(one))), own: servers.filter(isOwn) };
}

/** The tools that a program brings along, also where the rest of its options cannot work. */
export function ownToolsOf(options: unknown): OwnTool[] {
  const given: unknown = isPlainObject(options) ? options["tools"] : undefined;
  const lists = isPlainObject(given) ? [given["add"], given["use"]] : [];
  const tools = lists.flatMap((list: unknown) => (Array.isArray(list) ? list : []));
  return [...new Set(tools.filter((one) => one instanceof OwnTool))];
}

const isOption = (key: string): key is keyof typeof OPTIONS => Object.hasOwn(OPTIONS, key);

function copyOf(given: Record<string, unknown>, problems: OptionProblem[]): Record<string, unknown> {
  const { env } = given;
  // The environment of a process looks like a plain object and is none.
  const plain =
    Object.prototype.toString.call(env) === "[object Object]" ? { ...given, env: { ...Object(env) } } : given;
  const onOdd = (path: string, value: object) =>
    problems.push({ path, problem: `must be plain data, not ${kindOfValue(value)}` });
  return Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, plainCopy(value, key, onOdd)]));
}

/** Of two sentences about one place the second knows what is expected there. */
function withoutRepeats(problems: readonly OptionProblem[]): OptionProblem[] {
  return [...new Map(problems.map((problem) => [problem.path, problem])).values()];
}

/** The folder to work in. Throws OptionsError when it is none, or cannot be looked into. */
export function workdirOf(given: string | undefined): string {
  const wrong = (problem: string) => new OptionsError([{ path: "workdir", problem }]);
  let folder: string;
  try {
    folder = resolve(given ?? process.cwd());
  } catch {
    // ENOENT of the current folder itself.
    throw wrong("is not given, and the folder this program was started in does not exist any more");
  }
  try {
    if (!statSync(folder).isDirectory()) throw wrong(`is a file and no folder: ${folder}`);
    accessSync(folder, constants.R_OK | constants.X_OK);
    return folder;
  } catch (error) {
    if (error instanceof OptionsError) throw error;
    throw wrong(`${WHY[errorCode(error) ?? ""] ?? "cannot be looked into"}: ${JSON.stringify(folder)}`);
  }
}

const WHY: Record<string, string | undefined> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist, because a part of it is a file",
  EACCES: "cannot be read: there is no permission to look into it",
  EPERM: "cannot be read: there is no permission to look into it",
  ELOOP: "cannot be read: it is a link that leads to itself",
  ENAMETOOLONG: "is too long a name",
  ERR_INVALID_ARG_VALUE: "cannot be a path",
};
