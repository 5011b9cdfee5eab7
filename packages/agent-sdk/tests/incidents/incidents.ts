/**
 * What went wrong in other agents and was published, one row per id: the mechanism, and for what does not apply yet the feature
 * that has to exist first. incidents.test.ts checks that every other id is the beginning of exactly one test's title.
 */
export interface Incident {
  id: string;
  what: string;
  waitsFor?: string;
}

const row = (id: string, what: string, waitsFor?: string): Incident => ({
  id,
  what,
  ...(waitsFor === undefined ? {} : { waitsFor }),
});

export const INCIDENTS: readonly Incident[] = [
  // Code runs before trust.
  row(
    "CVE-2025-59536",
    "a project's hooks and servers were started before the question about trust was answered",
  ),
  row("CVE-2026-21852", "a project's settings moved the model server, and the key was sent there"),
  row(
    "CVE-2026-33068",
    "a project's permission mode was read before the question about trust, and skipped it",
  ),
  row("CVE-2026-40068", "a forged pointer in .git made a folder inherit the trust of another one"),
  row("CVE-2025-65099", "a package manager that was asked for its version ran a plugin of the project"),
  row("CVE-2025-59828", "the same through a project's own copy of the package manager"),
  row("CVE-2025-59041", "a value of git's settings was pasted into a shell command at the start"),
  row("CVE-2025-61260", "a project's .env moved the agent's own home into the project"),
  row("GHSA-gemini-headless", "a run without a terminal trusted whatever folder it was started in"),
  row("TrustFall", "one Enter on a vague question started everything that the project had defined"),
  row("deep-link-settings", "a flag hidden in the value of another flag loaded an attacker's settings"),
  row("CVE-2025-54136", "a yes was tied to a name, and what stood behind the name changed later"),
  row("approve-once", "the same for every approval that is not tied to content"),
  row("pre-trust-work", "git, version checks and package managers ran before anybody was asked"),

  // The agent rewrites its own configuration.
  row("CVE-2025-53773", "the model wrote the setting that switches approval off, and it counted at once"),
  row("CVE-2025-54135", "changing a configuration file asked, making one did not"),
  row("CVE-2025-59944", "the check minded the case of letters, the disk did not"),
  row("CVE-2026-25722", "a cd into the protected folder hid what was written there"),
  row("CVE-2026-25723", "text piped into sed was written to a file by a program held for a reader"),
  row("CVE-2025-64755", "sed's own commands wrote files and ran programs"),
  row("CVE-2026-24053", "redirections that only some shells know were not seen as writes"),
  row("CVE-2026-25725", "the sandbox guarded the settings file only if there was one already"),
  row("CVE-2026-39861", "a link planted by one tool was followed by another"),
  row("CVE-2026-26268", "git's own settings and hooks were written, and git ran them"),
  row("SymJack", "the question named a harmless file that was a link to the agent's configuration"),
  row("claude-code#43085", "a shell in a shell hid the write"),
  row(
    "fields-that-execute",
    "some field of the configuration named a program and nobody counted it as a hook",
  ),
  row("IDEsaster", "the settings of other programs in the project run commands as well"),
  row("Cline-rules", "instructions of a project, or a parameter of the model's, switched approval off"),
  row("CVE-2026-42074", "the model itself could set the parameter that leaves the sandbox"),

  // Command matching and read rules.
  row("CVE-2025-54795", "an allowed command carried another one that the parser did not see"),
  row("CVE-2025-58764", "the same through an option of a search program"),
  row("CVE-2026-24887", "the same through find"),
  row("CVE-2025-66032", "$IFS and bundled short options passed the check for commands that only read"),
  row("claude-code#4956", "a rule matched the beginning of the text, and a second command followed"),
  row("claude-code#66176", "a global option before the sub-command hid it from a deny rule"),
  row("claude-code#59498", "a cd before the command hid it from a deny rule"),
  row("Adversa-50", "a line of more than fifty commands was not held against deny rules"),
  row("GHSA-g8r9", "expansions that run or assign were taken for plain arguments"),
  row("CVE-2026-22708", "builtins set a variable that made the next harmless command run a program"),
  row("Tracebit", "the allowed beginning hid a pipe to the network behind many blanks"),
  row("gemini-cli#11510", "chains and redirections passed the same check again"),
  row("CVE-2025-54794", "paths were compared as text, so /proj-evil was inside /proj"),
  row("CVE-2025-59829", "a rule against reading named a path, and a link led there under another name"),
  row("CVE-2026-25724", "the same again"),
  row(
    "CVE-2026-24052",
    "hosts were compared by their beginning",
    "a tool that fetches pages and rules about hosts",
  ),
  row("CVE-2025-55284", "programs that look names up counted as reading, and carried data out"),
  row("CVE-2025-59532", "the folder that the model chose became the one it may write in"),
  row("SOCKS-NUL", "a NUL byte ended the name for the system and not for the check"),
  row("Mindgard-1.10", "settings of the project made a harmless command run a program"),

  // The museum: bugs that others have fixed.
  row("2.1.77", "a hook's allow lifted a deny rule"),
  row("2.1.101", "a hook's ask made a question of a deny rule"),
  row("2.1.211", "a mode overruled a hook's ask"),
  row("2.1.90", "exit code 2 did not block beside JSON"),
  row("2.1.214", "exit code 2 did not block beside broken JSON"),
  row("2.1.110", "a rewritten input was not held against deny rules"),
  row("2.1.212", "continue: false was lost when the tool failed"),
  row("2.1.222", "a hook's allow passed the limits of commands in the background"),
  row("2.1.218", "hooks in the head of an agent's file ran without trust", "agents defined in files"),
  row("2.1.51", "commands for a status line and for suggestions ran without trust"),
  row("2.1.232", "a repository inside a repository inherited its trust"),
  row("2.1.49", "a project switched the hooks of its owner off"),
  row("2.1.122", "one malformed entry switched off every hook"),
  row("claude-code#75081", "the same, still"),
  row("claude-code#82618", "the same, with a whole file"),
  row("claude-code#49990", "the same, unnoticed for a day"),
  ...["2.1.191", "2.1.195", "2.1.147", "2.1.163", "2.1.176", "2.1.89"].map((id) =>
    row(id, "matchers: lists with commas, names with hyphens, conditions that matched never or always"),
  ),
  row("2.1.143", "a Stop hook kept the turn going for ever"),
  row("2.1.78", "a failing model fed that loop"),
  row("2.1.73", "hooks ran twice after a session was resumed"),
  row("2.1.72", "hooks ran twice per skill", "skills"),
  row("2.1.69", "the same hook of two plugins ran once", "plugins"),
  row("2.1.239", "no process could be started after the working folder was removed"),
  row("2.1.19", "children in the background outlived the time limit of their hook"),
  row("claude-code#85250", "a hook that blocked before it began outlived its time limit"),
  row("claude-code#86578", "a hook that waits for input outlived its time limit"),
  row("2.1.139", "a hook wrote to the terminal, over a question"),
  row("2.1.207", "values were pasted into the text of a hook's command"),
  row("2.1.97", "a rule named like a property of every object broke the settings"),
  row("2.1.98", "the same"),
  row("2.1.221", "a tool named like a property of every object crashed"),
  row("2.1.3", "a time limit was too short for hooks that take their time"),

  // Reports that were still open.
  row("claude-code#37210", "a hook's deny did not hold for edits"),
  row("claude-code#26923", "a hook's deny did not hold for commands and tasks"),
  row("claude-code#13756", "a hook's deny did not hold for commands"),
  row("claude-code#84302", "a hook that was killed counted as one that agreed"),
  row("claude-code#80697", "a script that cannot start ends with 2 as well, and nobody could work any more"),
  row("claude-code#75915", "a rewrite was dropped because another hook asked"),
  row("claude-code#65393", "a rewrite that wraps the command made a question of a deny rule"),
  row("cline#13301", "a later rewrite that was no object brought the original input back"),
  row("gen-code#187", "one allow leaked into a sub-agent", "sub-agents"),
  row("wellness#337", "guards did not run on a busy machine"),
];
