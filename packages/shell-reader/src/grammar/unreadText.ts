import type { HereDoc, SyntaxNode } from "unbash";
import { shortened } from "../text.ts";
import type { Silent } from "./grammar.ts";

/**
 * Text of which the parser made no more than text, and of which bash would make more: what is nested deeper than the parser
 * goes, what it could not make sense of, and quotes that are none where they stand (`"${x:-'$(y)'}"` runs y). Such a line has
 * parts that nobody has looked at, so nobody may believe to know what it does.
 */
export function whyUnread(node: SyntaxNode, isExpanded: boolean): string | undefined {
  const text = unreadIn(node, isExpanded);
  return text === undefined ? undefined : `bash may read more into ${shortened(text, 80)} than is read here`;
}

/** Whether what is in a node is expanded once more, so that quotes in it need not be quotes. */
export const isExpandedIn = (node: SyntaxNode, isExpanded: boolean) =>
  NO_QUOTES_IN.has(node.type) || (isExpanded && node.type !== "Script");

/** In them quotes do not always quote. */
const NO_QUOTES_IN: ReadonlySet<string> = new Set([
  "ParameterExpansion",
  "ArithmeticExpansion",
  "ArithmeticCommand",
  "ArithmeticFor",
  "HereDocBody",
]);

/** A `$` or a backtick that begins something, and no backslash before it. */
function isLive(text: string): boolean {
  for (const [found] of text.matchAll(/\\[^]|\$(?=[\w({[@*#?$!-])|`/g))
    if (!found.startsWith("\\")) return true;
  return false;
}

function unreadIn(node: SyntaxNode, expanding: boolean): string | undefined {
  switch (node.type) {
    case "Literal":
      return isLive(node.text) ? node.text : undefined;
    case "Word":
    case "Glob":
    case "BraceExpansion":
    case "ExtendedGlob":
      return !node.parts && isLive(node.text) ? node.text : undefined;
    case "SingleQuoted":
    case "AnsiCQuoted":
      return expanding && /[$`]/.test(node.value) ? node.text : undefined;
    case "ArithmeticWord":
      return !node.parts && isLive(node.value) ? node.value : undefined;
    case "ArithmeticExpansion":
      return node.expression || /^\$(\(\(\s*\)\)|\[\s*\])$/.test(node.text) ? undefined : node.text;
    case "ArithmeticCommand":
      return node.expression || node.body.trim() === "" ? undefined : node.body;
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return node.script ? undefined : node.text;
    case "Assignment":
      return node.index && /[$`]/.test(node.index.text) && /['"\\]/.test(node.index.text)
        ? node.text
        : undefined;
    case "HereDoc":
      return unreadDocument(node);
    default:
      // They have no text but that of nodes in them.
      node satisfies Silent<
        | "Script"
        | "Command"
        | "Function"
        | "Coproc"
        | "For"
        | "Select"
        | "ArithmeticFor"
        | "TestUnary"
        | "TestBinary"
        | "Redirect"
        | "HereString"
        | "ArrayValue"
        | "ParameterExpansion"
        | "FileDescriptorVariable"
      >;
      return undefined;
  }
}

/** Where it ends has to be certain: what stands behind its end is commands. */
function unreadDocument({ delimiter, body, closing }: HereDoc): string | undefined {
  if (!delimiter || !closing || /[$`\\'"\n]/.test(delimiter.value)) return delimiter?.text ?? body.text;
  return !delimiter.quoted && !body.parts && isLive(body.text) ? body.text : undefined;
}
