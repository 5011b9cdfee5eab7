import type { Redirect } from "unbash";
import { anyArg } from "../words/args.ts";
import type { ProgramCall } from "../walk/programCall.ts";
import { expandWord, literalOf } from "../words/expand.ts";
import { isLiteral } from "../words/unknownText.ts";

/** The file that a redirection opens. */
export function touchRedirect(call: ProgramCall, redirect: Redirect): void {
  const target = redirect.target && expandWord(redirect.target, call.scope);
  if (!target) return call.unclear("a redirection has no target");
  const copies = redirect.operator === ">&" || redirect.operator === "<&";
  if (copies && target.texts.every((text) => /^(\d+-?|-)$/.test(text))) return;
  // bash expands it once more where it is no number: `>& '$(x)'` runs x.
  if (copies && !target.texts.every((text) => isLiteral(text) && !/[$`]/.test(text)))
    call.beyondReach(`bash may run what ${target.source} becomes`);
  // In another shell `>!` writes the file behind it; here it writes a file that is called so, which nobody wants.
  if (literalOf(target) === "!") return call.write(anyArg("what is behind >!"));
  if (redirect.operator === "<") call.read(target);
  else call.write(target, { text: true });
  if (redirect.operator === "<>") call.changes("it opens a file to read and to write");
  if (target.texts.some((text) => /^\/dev\/(tcp|udp)\//.test(text)))
    call.changes("it opens a network connection");
}
