import { printParseErrorCode, type ParseError } from "jsonc-parser";
import { onOneLine, quoted, shortened } from "../../utils/quoted.ts";

/** What is wrong with the JSON and what is expected instead, in words for somebody who edits the file by hand. */
export function syntaxProblem(text: string, error: ParseError): string {
  const found = text.slice(error.offset, error.offset + Math.max(error.length, 1));
  if (/^(<{7}|={7}|>{7})/.test(lineAround(text, error.offset)))
    return "this is a marker of a merge conflict; resolve it first";
  switch (printParseErrorCode(error.error)) {
    case "CommaExpected":
      return startsLine(text, error.offset)
        ? "a comma is missing before this line; write one at the end of the entry above"
        : `a comma is missing before ${asWritten(found)}; write one in front of it`;
    case "ColonExpected":
      return `a colon is missing before ${found === "" ? "the end of the file" : asWritten(found)}; write one in front of it`;
    case "CloseBraceExpected":
      return "the file ends before every { has its }";
    case "CloseBracketExpected":
      return found === ""
        ? "the file ends before every [ has its ]"
        : `a ] is expected before ${asWritten(found)}`;
    case "UnexpectedEndOfString":
      return `${asWritten(found)} has no closing double quote on its line`;
    case "UnexpectedEndOfComment":
      return "this comment has no */ at its end";
    case "EndOfFileExpected":
      return `${asWritten(found)} comes after the end of the settings; one object is expected`;
    case "InvalidEscapeCharacter":
    case "InvalidUnicode":
      return `${asWritten(found)} has a backslash that JSON does not know; write \\\\ for a backslash`;
    case "InvalidCharacter":
      return `${quoted(found)} has a control character in it; write \\t or \\n instead`;
    case "ValueExpected":
    case "PropertyNameExpected":
      return found === ","
        ? "there is one comma too many"
        : `a value is expected before ${found === "" ? "the end of the file" : asWritten(found)}`;
    default:
      return `${asWritten(found)} is not JSON; names and text need double quotes`;
  }
}

/** Text that has quotes of its own keeps them, instead of being quoted once more: the reader looks for it in the file. */
function asWritten(found: string): string {
  return found.startsWith('"') ? shortened(onOneLine(found), 80) : quoted(found);
}

function startsLine(text: string, offset: number): boolean {
  return /(^|[\r\n])[ \t]*$/.test(text.slice(0, offset));
}

function lineAround(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return text.slice(start, start + 80);
}
