/** `*` stands for any text, `?` for one character. Linear in practice: never backtracks further than the last `*`. */
export function wildcardMatches(pattern: string, text: string, anyOne = "?"): boolean {
  let at = 0;
  let inPattern = 0;
  let starAt = -1;
  let starText = 0;
  while (at < text.length) {
    const sign = pattern[inPattern];
    if (sign === "*") {
      starAt = inPattern++;
      starText = at;
      continue;
    }
    if (sign === anyOne || (sign !== undefined && sign === text[at])) {
      inPattern++;
      at++;
      continue;
    }
    if (starAt === -1) return false;
    inPattern = starAt + 1;
    at = ++starText;
  }
  return /^\**$/.test(pattern.slice(inPattern));
}

/** The same where a question mark is one. */
export const starMatches = (pattern: string, text: string) => wildcardMatches(pattern, text, "");
