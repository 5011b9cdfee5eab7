/** `true`: any key. */
type Keys = true | ReadonlySet<string>;

const keys = (names: string): Keys => new Set(names.split(" "));

/**
 * Settings of a repository with which git runs nothing, opens no other place and talks to nobody when it only reads. By section,
 * each with its keys; `true`: whatever the key, it is about commands that do more than read. Among those are the names of
 * programs for the network and for committing, aliases, which count for no command that git has itself, and the folder of hooks,
 * which is looked at on its own. A remote must not be a promisor: from such a one git fetches what is missing, and runs what the
 * settings name for it.
 */
const HARMLESS: Readonly<Record<string, Keys>> = {
  core: keys(
    "abbrev askpass autocrlf bare checkstat compression editor eol filemode fscache gitproxy hookspath ignorecase logallrefupdates " +
      "longpaths precomposeunicode preloadindex protecthfs protectntfs quotepath repositoryformatversion safecrlf sparsecheckout " +
      "sparsecheckoutcone sshcommand symlinks trustctime untrackedcache whitespace",
  ),
  diff: keys(
    "algorithm autorefreshindex colormoved colormovedws context indentheuristic interhunkcontext mnemonicprefix noprefix renamelimit renames wserrorhighlight",
  ),
  extensions: keys("noop objectformat preciousobjects refstorage relativeworktrees worktreeconfig"),
  format: keys("pretty signoff"),
  lfs: keys(
    "activitytimeout concurrenttransfers fetchexclude fetchinclude fetchrecentcommitsdays fetchrecentrefsdays locksverify repositoryformatversion",
  ),
  log: keys("abbrevcommit date decorate follow mailmap showroot"),
  status: keys(
    "aheadbehind branch color displaycommentprefix relativepaths renamelimit renames short showstash showuntrackedfiles",
  ),
  submodule: keys("active alternateerrorstrategy alternatelocation fetchjobs propagatebranches"),
  ...anyKeyIn(
    "advice alias branch checkout color commit credential feature fetch gc http i18n index init maintenance merge pack pull push " +
      "rebase receive rerere tag user",
  ),
};

/** Sections with a name behind theirs: `[remote "origin"]`. */
const HARMLESS_NAMED: Readonly<Record<string, Keys>> = {
  remote: keys(
    "annex-ignore annex-uuid fetch followremotehead gh-resolved glab-resolved lfspushurl lfsurl mirror projectname prune prunetags push pushurl review skipdefaultupdate skipfetchall tagopt url",
  ),
  ...anyKeyIn("branch color credential http submodule url"),
};

function anyKeyIn(sections: string): Record<string, Keys> {
  return Object.fromEntries(sections.split(" ").map((section) => [section, true]));
}

/** A format or an order for which git starts no other program, without signs that git would take out. */
const PLAIN_FORMAT = {
  test: (value: string) => !/["\\]|signature/i.test(value) && !/%[ +-]?G/.test(value),
};

/** Keys of which not every value is harmless. */
const VALUES: Readonly<Record<string, Pick<RegExp, "test">>> = {
  "extensions.objectformat": /^sha(1|256)$/i,
  "extensions.refstorage": /^(files|reftable)$/i,
  "format.pretty": PLAIN_FORMAT,
  "branch.sort": PLAIN_FORMAT,
  "tag.sort": PLAIN_FORMAT,
  // It is looked up on the disk as it stands there.
  "core.hookspath": /^[\w./@+-]+$/,
};

/**
 * Whether a file of settings has only such in it. What is not known to be harmless is not: an include, a filter, a file system
 * monitor, a text converter, a pager.
 */
export function settingsRunNothing(config: string): boolean {
  if (/\\\r?\n/.test(config)) return false;
  let section = "";
  let allowed: Keys | undefined;
  for (const line of config.split("\n").map((text) => text.trim())) {
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const [, header, name] = /^\[\s*([\w.-]+)(?:\s+"([^\]"\\]*)")?\s*\]$/.exec(line) ?? [];
    if (header !== undefined) {
      section = header.toLowerCase();
      allowed = name === undefined ? own(HARMLESS, section) : allowedIn(section, name);
    } else if (!isHarmless(section, allowed, line)) return false;
  }
  return true;
}

/** The folders that a file of settings names for hooks, as they stand there. */
export function hookFolders(config: string): string[] {
  return [...config.matchAll(/^[ \t]*hookspath[ \t]*=(.*)$/gim)]
    .map(([, value = ""]) => /^"?([^"#;]+?)"?$/.exec(value.trim())?.[1] ?? "")
    .filter((path) => path !== "");
}

function allowedIn(section: string, name: string): Keys | undefined {
  if (section === "lfs") return /^https?:/.test(name) ? true : undefined;
  return own(HARMLESS_NAMED, section);
}

function isHarmless(section: string, allowed: Keys | undefined, line: string): boolean {
  const [, name = "", value = ""] = /^([a-zA-Z][\w-]*)\s*(?:=\s*(.*))?$/.exec(line) ?? [];
  if (allowed === undefined || name === "") return false;
  const key = name.toLowerCase();
  const mayBe = own(VALUES, `${section}.${key}`);
  return (allowed === true || allowed.has(key)) && (mayBe === undefined || mayBe.test(value));
}

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
