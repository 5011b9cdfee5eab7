import { anyArg, plainArg } from "../words/args.ts";
import type { ProgramCall } from "../walk/programCall.ts";
import { literalOf, type Arg } from "../words/expand.ts";
import { filledIn } from "./find.ts";
import { GAP, isUnknown } from "../words/unknownText.ts";
import { optionList, parseArgs, type ParsedArgs } from "./options.ts";
import { itemsOf, type Cuts } from "./printers.ts";

const XARGS = optionList(
  "0 a=r d= E= I= i? L= l? n= P= p r s= t x null arg-file=r delimiter= max-args= max-chars= max-lines? max-procs= no-run-if-empty verbose replace? exit open-tty interactive",
);

/** Runs the command behind its options with what it reads. */
export function xargs(call: ProgramCall): void {
  const parsed = parseArgs(call.args, XARGS, { stopAtOperand: true });
  for (const arg of parsed.reads) call.read(arg);
  if (parsed.doubt !== undefined) call.unread(parsed.doubt);
  const known = parsed.reads.length === 0 && parsed.doubt === undefined ? call.stdin : undefined;
  const cuts = cutsOf(parsed);
  for (const arg of known ?? []) supposesWhole(call, arg, cuts);
  const isFile = known?.some(({ from }) => typeof from === "object");
  const fed = (isFile || !known ? [anyArg("what xargs reads")] : known).map((arg) => ({
    ...arg,
    texts: arg.texts.flatMap((text) => itemsOf(text, cuts)),
    many: true,
    from: "input" as const,
  }));
  const [mark] = parsed.values("I", "replace", "i").map(literalOf);
  const replaced = mark ?? (parsed.has("i", "replace") ? "{}" : undefined);
  const inner = parsed.operands.length > 0 ? parsed.operands : [plainArg("echo")];
  if (replaced === undefined) return call.follow([...inner, ...fed]);
  call.follow(
    inner.flatMap((arg) =>
      arg.texts.some((text) => text.includes(replaced))
        ? filledIn({ ...arg, texts: arg.texts.map((text) => text.replaceAll(replaced, "{}")) }, fed)
        : [arg],
    ),
  );
}

/** What xargs would cut at, or take away. */
const CUT_AT: Readonly<Record<Cuts, RegExp | undefined>> = {
  blanks: /[\s'"\\]/,
  "lines and blanks": /[\s'"\\]/,
  lines: /\n/,
  nothing: undefined,
  elsewhere: undefined,
};

/** Names that a star found stay one word each. Those that find lists are looked at as a whole. */
function supposesWhole(call: ProgramCall, arg: Arg, cuts: Cuts): void {
  const unlike = CUT_AT[cuts];
  const texts = arg.texts.filter((text) => !isUnknown(text) && !text.includes(GAP.folders));
  if (unlike) call.supposesNone(unlike, { ...arg, texts });
}

function cutsOf(parsed: ParsedArgs): Cuts {
  const [delimiter] = parsed.values("d", "delimiter");
  if (delimiter) return /^(\n|\\n)$/.test(literalOf(delimiter) ?? "") ? "lines" : "elsewhere";
  if (parsed.has("0", "null")) return "nothing";
  return parsed.has("I", "i", "replace") ? "lines and blanks" : "blanks";
}
