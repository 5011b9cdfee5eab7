import type { Redirection } from "unbash";
import type { Arg } from "./expand.ts";
import { GAP, isLiteral } from "./gaps.ts";

/** Text that a here-document or here-string hands to a command. */
export function fedBy(redirects: readonly Redirection[]): readonly Arg[] | undefined {
  const texts = redirects.flatMap((redirect): Arg[] => {
    if (redirect.type === "HereDoc") {
      const known =
        redirect.delimiter?.quoted === true || !redirect.body.parts?.some((part) => part.type !== "Literal");
      return [textOf(redirect.body.text, redirect.body.text, known)];
    }
    if (redirect.type === "HereString" && redirect.target) {
      const plain = !redirect.target.parts?.some(
        (part) => part.type !== "Literal" && part.type !== "SingleQuoted" && part.type !== "DoubleQuoted",
      );
      return [textOf(redirect.target.text, redirect.target.value, plain)];
    }
    return [];
  });
  return texts.length > 0 ? texts : undefined;
}

/** Where bash puts something in, the words may become anything. */
const textOf = (source: string, text: string, known: boolean): Arg =>
  known ? { source, texts: [text], many: false } : { source, texts: [text, GAP.any], many: true };

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
