import { parse, type ParsedScript } from "unbash";
import { pay } from "../steps.ts";
import { UnknownSyntax } from "./grammar.ts";
import { whyTooMuch } from "./limits.ts";

/** The one way to the parser, which cannot be stopped: text that would keep it busy for long is not handed to it. */
export function parseShell(text: string): ParsedScript {
  const tooMuch = whyTooMuch(text);
  if (tooMuch !== undefined) throw new UnknownSyntax(tooMuch);
  pay(text.length);
  return parse(text);
}
