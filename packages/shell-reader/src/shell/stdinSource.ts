import type { Redirection } from "unbash";
import { unseenArg } from "../words/args.ts";
import { expandText, expandWord, type Arg } from "../words/expand.ts";
import { isLiteral, isStream } from "../words/unknownText.ts";
import type { Scope } from "./scope.ts";

/** What reaches the input of a command, when that is known. */
export type Stdin = readonly Arg[] | undefined;

/** What the redirections hand to a command as its input; undefined when they leave it what it is. The last one counts. */
export function stdinOf(redirects: readonly Redirection[], scope: Scope): Stdin {
  const given = redirects.filter(isInput).at(-1);
  return given && [inputBy(given, scope)];
}

function isInput({ operator, descriptor }: Redirection): boolean {
  if (descriptor === undefined) return operator.startsWith("<");
  return descriptor.type === "FileDescriptor" && descriptor.value === 0;
}

function inputBy(redirect: Redirection, scope: Scope): Arg {
  if (redirect.type === "HereDoc") {
    const { text, parts } = redirect.body;
    const texts = redirect.delimiter?.quoted === true || !parts ? [text] : expandText(parts, scope);
    return { source: text, texts, many: texts.length > 1 };
  }
  if (!redirect.target) return unseenArg(redirect.operator);
  const target = expandWord(redirect.target, scope);
  if (redirect.type === "HereString") return target;
  const isFile = redirect.operator === "<" && !target.texts.some(isStream);
  return { ...unseenArg(target.source), ...(isFile ? { from: { file: target } } : {}) };
}

const RUN_BY_GIT = /^(GIT_(EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|SSH_COMMAND)|EDITOR|VISUAL|PAGER)$/;

/** Text that a program hands to a shell because a variable says so, or why it is not known. */
export function runBecauseOf(
  name: string,
  [text, ...others]: readonly string[],
): { text: string; why?: undefined } | { text?: undefined; why: string } | undefined {
  if (!RUN_BY_GIT.test(name)) return undefined;
  return text !== undefined && others.length === 0 && isLiteral(text)
    ? { text }
    : { why: `${name} tells a program what to run` };
}
