/** Commands of sed that print, keep or drop lines and touch no file. `r`, `R`, `w`, `W` and `e` are not among them. */
const PLAIN = /^[pPdDnNgGhHxl=FqQ{}]$/;

/**
 * Whether a sed script only prints. sed has commands and flags that write files and run programs (`w`, `e`, `s///w`), so
 * everything that is not recognised is a no.
 */
export function sedOnlyPrints(script: string): boolean {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    const found = new RegExp(pattern.source, "sy");
    found.lastIndex = at;
    const matched = found.exec(script);
    if (matched) at = found.lastIndex;
    return matched !== null;
  };
  /** Up to the next delimiter that is not escaped and in no brackets; false when there is none. */
  const skipTo = (delimiter: string): boolean => {
    let brackets = false;
    for (; at < script.length; at++) {
      const sign = script[at];
      if (sign === "\n") return false;
      if (sign === "\\") at++;
      else if (sign === "[" && !brackets) brackets = true;
      else if (sign === "]" && brackets) brackets = false;
      else if (sign === delimiter && !brackets) {
        at++;
        return true;
      }
    }
    return false;
  };
  const address = (): boolean => {
    if (skip(/\d+~\d+|\d+|\$/)) return true;
    if (!skip(/\//)) return true;
    return skipTo("/") && skip(/[IM]*/);
  };

  while (at < script.length) {
    if (skip(/[\s;]+/)) continue;
    if (skip(/#[^\n]*/)) continue;
    if (!address()) return false;
    if (skip(/\s*,\s*[+~]?/) && !address()) return false;
    skip(/\s*!*\s*/);
    const command = script[at++] ?? "";
    if (command === "s" || command === "y") {
      const delimiter = script[at++] ?? "";
      if (!/^[/|,#@!:%_+~^-]$/.test(delimiter) || !skipTo(delimiter) || !skipTo(delimiter)) return false;
      skip(command === "s" ? /[gpiI\d]*/ : /(?:)/);
    } else if (/^[bt]$/.test(command)) skip(/[ \t]*\w*/);
    else if (/^[qQl]$/.test(command)) skip(/[ \t]*\d*/);
    else if (!PLAIN.test(command)) return false;
    // Only the end of a command may follow: flags that are not known are not skipped.
    if (!skip(/[ \t]*(?=[;\n}]|$)/) && command !== "{") return false;
  }
  return true;
}
