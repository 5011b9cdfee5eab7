import type { Redirection } from "unbash";
import type { Arg } from "./expand.ts";

/** Text that a here-document or here-string hands to a command. */
export function fedBy(redirects: readonly Redirection[]): readonly Arg[] | undefined {
  const texts = redirects.flatMap((redirect): Arg[] => {
    if (redirect.type === "HereDoc") {
      const known =
        redirect.delimiter?.quoted === true || !redirect.body.parts?.some((part) => part.type !== "Literal");
      return [{ source: redirect.body.text, texts: [redirect.body.text], many: !known }];
    }
    if (redirect.type === "HereString" && redirect.target) {
      const plain = !redirect.target.parts?.some(
        (part) => part.type !== "Literal" && part.type !== "SingleQuoted" && part.type !== "DoubleQuoted",
      );
      return [{ source: redirect.target.text, texts: [redirect.target.value], many: !plain }];
    }
    return [];
  });
  return texts.length > 0 ? texts : undefined;
}
