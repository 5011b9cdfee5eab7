import { describe, expect, it } from "vitest";
import { isSecretName, maskSecrets, maskSecretsIn } from "@/utils/maskSecrets.ts";

describe("what looks like a key", () => {
  // Put together here, so that no scanner takes this file for a leak.
  const many = "abcDEF123456".repeat(4);
  it.each([
    ["of OpenAI", `sk-proj-${many}`, "sk-pro[masked]"],
    ["of Anthropic", `sk-ant-api03-${many}`, "sk-ant[masked]"],
    ["of GitHub", `ghp_${many}`, "ghp_ab[masked]"],
    ["of GitHub, fine-grained", `github_pat_${many}`, "github[masked]"],
    ["of GitLab", `glpat-${many}`, "glpat-[masked]"],
    ["of Slack", `xoxb-${many}`, "xoxb-a[masked]"],
    ["of AWS", `AKIA${"A1".repeat(8)}`, "AKIAA[masked]"],
    ["of Google", `AIza${many}`, "AIzaab[masked]"],
    ["of npm", `npm_${many}`, "npm_ab[masked]"],
    ["of Stripe", `sk_live_${many}`, "sk_liv[masked]"],
    ["that is a JWT", `eyJ${many}.eyJ${many}.${many}`, "eyJabc[masked]"],
    ["between other words", `use ghp_${many}, please`, "use ghp_ab[masked], please"],
    [
      "in JSON in a text",
      JSON.stringify({ content: `a\nghp_${many}\n` }),
      '{"content":"a\\nghp_ab[masked]\\n"}',
    ],
    ["in a header", "Authorization: Bearer abcd-1234-efgh", "Authorization: Bearer abc[masked]"],
    ["in a header for curl", `curl -H "X-Api-Key: abcd1234"`, `curl -H "X-Api-Key: ab[masked]"`],
    ["behind bearer", "bearer abcdefgh12345678", "bearer abcd[masked]"],
    ["in an address", "https://me:hunter2@host/path", "https://me:h[masked]@host/path"],
    ["in a query", "https://host/?a=1&token=abcdef&b=2", "https://host/?a=1&token=a[masked]&b=2"],
    ["that is a password", "DB_PASSWORD=hunter2 psql", "DB_PASSWORD=h[masked] psql"],
    ["in quotes", `{"password": "correct horse"}`, `{"password": "c[masked] horse"}`],
    [
      "in escaped quotes",
      String.raw`{"a":"{\"secret\":\"abcdefgh\"}"}`,
      String.raw`{"a":"{\"secret\":\"ab[masked]\"}"}`,
    ],
    [
      "of a variable",
      "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG+bPx",
      "AWS_SECRET_ACCESS_KEY=wJalrX[masked]",
    ],
    ["in YAML", "api_key: 0123456789abcdefgh", "api_key: 0123[masked]"],
    ["behind a flag", "login --password hunter22 --force", "login --password hu[masked] --force"],
    [
      "in a block",
      "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----\nb",
      "a\n-----BEGIN RSA PRIVATE KEY-----[masked]\nb",
    ],
    ["in a block that was cut", "-----BEGIN PRIVATE KEY-----\nMIIE", "-----BEGIN PRIVATE KEY-----[masked]"],
  ])("is masked but for its beginning: one %s (G68, T190)", (_what, text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
    expect(maskSecrets(masked)).toBe(masked);
  });

  it.each([
    "npm run build",
    "import sk from 'sk-learn-contrib-package'",
    "function login(password: string, token: Token): void",
    "const token = await getToken()",
    "max_tokens=4096",
    "primary_key=id, monkey=banana",
    "PASSWORD=$DB_PASSWORD",
    "PWD=/home/me/work-2024-project",
    "the bearer authentication scheme",
    "http://localhost:8080/a:b",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "--token-file ./x --key ./y.pem",
  ])("is not everything: %s", (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  it("is also every key that Wave knows, however it looks (G68)", () => {
    const known = ['CANARY "key" x', "none"];
    expect(maskSecrets(`a CANARY "key" x b none`, known)).toBe("a CAN[masked] b none");
    expect(maskSecrets(JSON.stringify({ a: 'CANARY "key" x' }), known)).toBe('{"a":"CANA[masked]"}');
  });

  it("is found in every text of a value, and nothing else of it changes (G68)", () => {
    const value = { a: ["password=hunter2", 1, null], b: { c: true, d: undefined, e: "fine" } };
    expect(maskSecretsIn(value)).toEqual({
      a: ["password=h[masked]", 1, null],
      b: { c: true, d: undefined, e: "fine" },
    });
  });
});

describe("a megabyte that was made to be slow to search", () => {
  // Searching it twice as long for every letter would take days: the limit of a test is enough to notice.
  it.each([
    "sk-",
    "eyJ-",
    "eyJaaaaaaaaa.",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN ",
    "://a:",
    "authorization: ",
    "authorization \t ",
    "token=",
    "token : ",
    "password",
    "--",
    "-a",
    " --a-",
    "--token ",
    "bearer ",
    "ghp_",
    "SG.aaaaaaaaaaaaaaaaa.",
    "\\nsk-",
    'secret\\"',
    "key",
    "_key",
    "=>=>",
    "\\n",
    " ",
    "a",
  ])("is searched in one go: %j (G68)", (piece) => {
    const text = piece.repeat(Math.ceil(2 ** 20 / piece.length));
    expect(maskSecrets(text).length).toBeGreaterThan(0);
    expect(maskSecrets(`${text}\0`).length).toBeGreaterThan(0);
  });
});

it.each([
  ["WAVE_API_KEY", true],
  ["GITHUB_TOKEN", true],
  ["DB_PASSWORD", true],
  ["AWS_SECRET_ACCESS_KEY", true],
  ["SECRET_KEY_BASE", true],
  ["PGPASS", false],
  ["PATH", false],
  ["PWD", false],
  ["SSH_AUTH_SOCK", false],
  ["KEYBOARD", false],
  ["TOKENIZERS_PARALLELISM", false],
])("a variable named %s holds a key: %s (T190)", (name, isSecret) => {
  expect(isSecretName(name)).toBe(isSecret);
});
