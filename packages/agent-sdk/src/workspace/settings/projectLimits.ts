import type { PermissionMode } from "../../permissions/modes.ts";

/** From strict to loose. A project may only move a session towards the start of this list. */
const MODES_BY_STRICTNESS: readonly PermissionMode[] = [
  "plan",
  "dontAsk",
  "default",
  "acceptEdits",
  "bypassPermissions",
];

/** Modes a project may ask for at all. `dontAsk` is not one: it would silence the questions a person expects. */
export const PROJECT_MODES: readonly PermissionMode[] = ["plan", "default"];

export function isStricter(a: PermissionMode, b: PermissionMode): boolean {
  return MODES_BY_STRICTNESS.indexOf(a) < MODES_BY_STRICTNESS.indexOf(b);
}

/**
 * Variables that make a program run other code, talk to another server, trust another certificate, or find other files
 * than the person meant. A repository that could set them would need no hook to take over.
 */
const RESERVED = [
  /^(WAVE|OPENAI|ANTHROPIC|CLAUDE|GEMINI|GOOGLE|OPENROUTER)_/,
  /^(LD|DYLD|GIT|SSH|NODE|NPM_CONFIG|PYTHON|XDG)_/,
  /^(PATH|HOME|USER|LOGNAME|SHELL|ENV|IFS|PS4|CDPATH|TMPDIR|TMP|TEMP)$/,
  /^(BASH_.*|BASHOPTS|SHELLOPTS|PROMPT_COMMAND|ZDOTDIR)$/,
  /^PYTHON|^PERL5|^RUBY(OPT|LIB)$|^(_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS$|^CLASSPATH$|^(LUA|GO|RUSTC|CARGO)_?/,
  /^(HTTPS?|ALL|NO|FTP)_PROXY$/,
  /^(SSL_CERT_|CURL_|REQUESTS_CA_BUNDLE$|OPENSSL_)/,
  /^(CC|CXX|LD|AR|(GNU)?MAKEFLAGS|(C|CPP|CXX|LD|RUST)FLAGS|(MAVEN|GRADLE|JAVA)_OPTS|(TAR|GREP)_OPTIONS)$/,
  /^(PIP|UV)_|^(DOCKER_(HOST|CONFIG)|KUBECONFIG|RIPGREP_CONFIG_PATH|PHPRC|PHP_INI_SCAN_DIR|ELECTRON_RUN_AS_NODE)$/,
  /^(EDITOR|VISUAL|PAGER|LESS(OPEN|CLOSE)?|MANPAGER|BROWSER)$/,
];

export function isReservedVariable(name: string): boolean {
  const upper = name.toUpperCase();
  return RESERVED.some((pattern) => pattern.test(upper));
}
