/**
 * Hides what looks like a key in text that is kept to explain something: records and logs. Never in what a model, a hook or a
 * tool gets. The first letters stay, so that one can tell which key it was. Every pattern is linear: each begins at a fixed
 * word or at the edge of a run of letters, and no two parts of one can match the same text.
 */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  const plain = known.reduce((masked, value) => hideValue(masked, value), text);
  return PATTERNS.reduce(
    (masked, { pattern, mask }) =>
      masked.replace(pattern, (match: string, ...rest: (string | undefined)[]) => {
        const behind = masked.slice(
          Number(rest.at(-2)) + match.length,
          Number(rest.at(-2)) + match.length + HIDDEN.length,
        );
        // What was masked before stays as it is, so that masking twice does no harm.
        return behind === HIDDEN || match.endsWith(HIDDEN) ? match : mask(match, ...rest);
      }),
    plain,
  );
}

/** Every text in a value of plain data. */
export function maskSecretsIn<T>(value: T, known: readonly string[] = []): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === "string") return maskSecrets(part, known);
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, walk(inner)]));
  };
  // The shape stays: only texts are replaced, by texts.
  return walk(value) as T;
}

/** Shorter ones ("none", "ollama") are no secret, and hiding them would hide ordinary words. */
export const SHORTEST_SECRET = 8;

/** Whether a variable of this name holds something that opens a door. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

const SECRET_NAME =
  /(?:^|[_-])(?:pass(?:word|wd|phrase)?|secrets?|tokens?|credentials?|key|api_?key|auth)$|_pwd$|(?:^|_)(?:password|secret|token|api_?key|private_?key|access_?key)_/i;

function hideValue(text: string, value: string): string {
  if (value.length < SHORTEST_SECRET) return text;
  // As it is, and as it stands in JSON within the text.
  const spellings = new Set([value, JSON.stringify(value).slice(1, -1)]);
  return [...spellings].reduce(
    (masked, spelling) => masked.replaceAll(spelling, () => hidden(spelling)),
    text,
  );
}

const HIDDEN = "[masked]";

/** A quarter of it at most, so that a short one does not stay readable. */
function hidden(secret: string): string {
  return secret.slice(0, Math.min(6, Math.floor(secret.length / 4))) + HIDDEN;
}

interface Pattern {
  pattern: RegExp;
  mask: (match: string, ...groups: (string | undefined)[]) => string;
}

/** The edge of a run of letters, also behind an escaped line end: text often stands in JSON within text. */
const EDGE = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))`;

/** Forms in which well-known services hand out their keys. */
const TOKENS = [
  String.raw`sk-[A-Za-z0-9_-]{16,}`,
  String.raw`(?:sk|rk|pk|whsec)_(?:live|test)_[A-Za-z0-9]{10,}`,
  String.raw`(?:gh[oprsu]|github_pat)_[A-Za-z0-9_]{20,}`,
  String.raw`glpat-[A-Za-z0-9_-]{16,}`,
  String.raw`xox[a-z]-[A-Za-z0-9-]{10,}`,
  String.raw`xapp-[A-Za-z0-9-]{10,}`,
  String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}`,
  String.raw`AIza[A-Za-z0-9_-]{30,}`,
  String.raw`ya29\.[A-Za-z0-9_-]{20,}`,
  String.raw`npm_[A-Za-z0-9]{30,}`,
  String.raw`pypi-[A-Za-z0-9_-]{30,}`,
  String.raw`(?:hf|gsk|r8|dop_v1|shpat|shpss)_[A-Za-z0-9]{20,}`,
  String.raw`xai-[A-Za-z0-9]{20,}`,
  String.raw`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
  String.raw`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`,
];

/** What a value may consist of: no quotes, brackets or backslashes, so what stands around it stays. */
const VALUE = String.raw`[^\s"'\\&;,<>(){}\[\]|` + "`]";

const SECRET_WORD = "pass(?:word|wd|phrase)|(?<=_)(?:pass|pwd)|secret|token|credential|key";

const PATTERNS: readonly Pattern[] = [
  {
    // Without its end, the text was cut: then all of the rest is hidden.
    pattern:
      /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----(?!\[masked\])[\s\S]*?(?:-----END \1-----|$)/g,
    mask: (_match, kind) => `-----BEGIN ${kind}-----${HIDDEN}`,
  },
  {
    pattern: new RegExp(`${EDGE}(?:${TOKENS.join("|")})`, "g"),
    // `sk-learn-something` is a name; keys have digits in them.
    mask: (match) => (/\d/.test(match) ? hidden(match) : match),
  },
  {
    pattern: new RegExp(
      String.raw`((?:authorization|x-api-key|api-key|x-auth-token)\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?(?:(?:bearer|basic|token|digest)[ \t]{1,4})?)((?!(?:bearer|basic|token|digest)\b)${VALUE}{4,})`,
      "gi",
    ),
    mask: (_match, before = "", value = "") => before + hidden(value),
  },
  {
    pattern: /\b(bearer[ \t]{1,4})([A-Za-z0-9._~+/=-]{8,})/gi,
    mask: (match, before = "", value = "") => (/\d/.test(value) ? before + hidden(value) : match),
  },
  {
    pattern: /(:\/\/[^\s/:@"'\\]{0,100}:)([^\s/@"'\\]+)(?=@)/g,
    mask: (_match, before = "", value = "") => before + hidden(value),
  },
  {
    pattern: new RegExp(
      String.raw`(${SECRET_WORD})(s?\\?["']?)([ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4})(\\?["']?)(${VALUE}+)`,
      "gi",
    ),
    mask: (match, word = "", behind = "", sign = "", quote = "", value = "") =>
      isSecretValue({ word: word + (/^s/i.test(behind) ? "s" : ""), sign, quote, value })
        ? word + behind + sign + quote + hidden(value)
        : match,
  },
  {
    pattern: new RegExp(
      String.raw`((?<![\w-])--?[a-z0-9-]{0,40}(?:password|passwd|passphrase|secret|token|api-?key)[ \t]{1,4}\\?["']?)(${VALUE}{4,})`,
      "gi",
    ),
    mask: (match, before = "", value = "") => (value.startsWith("-") ? match : before + hidden(value)),
  },
];

/**
 * Whether what stands behind a word such as `token` is one. In code such words are followed by types and calls, so there only
 * what is quoted or looks made by chance counts; behind "key" and "tokens" (which are counted) only the latter.
 */
function isSecretValue(found: { word: string; sign: string; quote: string; value: string }): boolean {
  const { word, sign, quote, value } = found;
  // A variable stands for a secret and is none.
  if (value.startsWith("$") || value.length < 3) return false;
  if (looksRandom(value)) return true;
  return !/^(?:keys?|tokens)$/i.test(word) && (quote !== "" || sign === "=");
}

function looksRandom(value: string): boolean {
  return value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value) && new Set(value).size >= 8;
}
