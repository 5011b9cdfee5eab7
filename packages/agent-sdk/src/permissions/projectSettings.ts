import type { HeedingCall } from "wave-shell-reader";

/** A file of the project by which a program is told what to do, and whether what stands in it does no harm. */
export interface ProjectSettings {
  /** In the folder that the program works in, or in one above it. */
  file: string;
  isHarmless: (text: string) => boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/**
 * Settings of npm (and of pnpm, in the same file) about what is installed and how. All others ask: `logs-dir` and `cache` have npm
 * write elsewhere, and every listing sends the token of a `registry` there, since npm looks for a newer npm.
 */
const NPM_ABOUT_INSTALLING = words(
  "access audit audit-level auto-install-peers before color commit-hooks dedupe-peer-dependents enable-pre-post-scripts engine-strict " +
    "force foreground-scripts fund git-tag-version hoist ignore-scripts ignore-workspace-root-check include include-workspace-root " +
    "install-links install-strategy legacy-peer-deps link-workspace-packages lockfile loglevel message node-linker omit optional " +
    "package-lock prefer-dedupe prefer-frozen-lockfile prefer-offline prefer-workspace-packages production progress provenance " +
    "public-hoist-pattern resolution-mode save save-dev save-exact save-optional save-peer save-prefix save-prod " +
    "save-workspace-protocol shamefully-hoist shared-workspace-lockfile side-effects-cache strict-peer-dependencies strict-peer-deps " +
    "tag-version-prefix unicode workspaces-update",
);

/** To say its version npm asks nobody. */
const NPM_ABOUT_REGISTRIES =
  /^(registry|always-auth|@[\w-]+:registry|\/\/[\w.:/-]+:(_authToken|_auth|_password|username|email|always-auth))$/;

const npmrc = (isKnown: (key: string) => boolean): ProjectSettings[] => [
  {
    file: ".npmrc",
    isHarmless: (text) =>
      text
        .split(/[\r\n]+/)
        .map((line) => line.trim())
        .every(
          (line) =>
            line === "" ||
            /^[;#]/.test(line) ||
            isKnown(/^([^\s=[\]"']+)(\[\])?\s*(=|$)/.exec(line)?.[1] ?? ""),
        ),
  },
];

export const HEEDED: Record<HeedingCall, readonly ProjectSettings[]> = {
  "npm lists": npmrc((key) => NPM_ABOUT_INSTALLING.has(key)),
  "npm says its version": npmrc((key) => NPM_ABOUT_INSTALLING.has(key) || NPM_ABOUT_REGISTRIES.test(key)),
};

/** Versions and nothing else: no `path:`, no `ref:`, no way to another folder. */
const isPlainVersion = (text: string) =>
  text.split(/\r?\n/).every((line) => /^[\w.*@+ \t-]*(#.*)?$/.test(line));
const never = () => false;

const VERSION_FILES =
  ".tool-versions .node-version .nvmrc .python-version .ruby-version .java-version .go-version .perl-version .php-version .terraform-version";

/** Where a project says of which kind and version its programs should be. */
const CHOICES =
  "mise.toml .mise.toml mise.local.toml .mise.local.toml mise/config.toml .mise/config.toml .config/mise.toml .config/mise/config.toml " +
  ".prototools aqua.yaml aqua.yml .aqua.yaml .aqua.yml aqua/aqua.yaml rust-toolchain rust-toolchain.toml .vfox.toml .corepack.env";

const files = (names: string, isHarmless: ProjectSettings["isHarmless"]) =>
  names.split(" ").map((file): ProjectSettings => ({ file, isHarmless }));

/** They start an installed program by its name and version. */
const CHOOSERS = [...files(VERSION_FILES, isPlainVersion), ...files(CHOICES, never)];

/** They fetch one that is not installed. */
const FETCHERS: readonly ProjectSettings[] = [
  ...files(`${VERSION_FILES} ${CHOICES}`, never),
  { file: "package.json", isHarmless: (text) => !/"(volta|packageManager|devEngines)"/.test(text) },
];

/**
 * The program of a name may be one that looks in the project which program is meant: those of asdf, mise, volta, corepack, pyenv and
 * the like. `file`: what is found on the PATH; `real`: where that leads.
 */
export function choosersOf(file: string, real: string): readonly ProjectSettings[] {
  if (/\/(mise|volta|volta-shim|proto|proto-shim|aqua-proxy|rustup)$|\/corepack\//.test(real))
    return FETCHERS;
  return /\/shims\/[^/]+$/.test(file) ? CHOOSERS : [];
}
