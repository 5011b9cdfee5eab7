import type { OwnPlace, ProgramPlaces } from "./programPlaces.ts";
import type { BroughtFiles } from "./treeDifference.ts";

export type { OwnPlace } from "./programPlaces.ts";

/**
 * Files that make a program do something by themselves later: Wave's own, git's, the shell's, those of package managers, editors
 * and other agents. Writing one asks in every mode. One row per name; it counts at any depth, with everything below it, in
 * any spelling of its letters. `*` stands for any letters of a name.
 */
export const PROTECTED = [
  { group: "Wave", names: [".wave"], why: "Wave reads its settings, hooks and approvals there" },
  { group: "git", names: [".git"], why: "git runs its hooks and the programs named in its settings" },
  {
    group: "git",
    names: [".gitconfig", ".config/git", "etc/gitconfig", ".gitmodules"],
    why: "git runs the programs named there",
  },
  {
    group: "shell",
    names: [
      ".bashrc",
      ".bash_profile",
      ".bash_login",
      ".bash_logout",
      ".bash_aliases",
      ".profile",
      ".zshrc",
      ".zshenv",
      ".zprofile",
      ".zlogin",
      ".zlogout",
      ".kshrc",
      ".cshrc",
      ".tcshrc",
      ".login",
      ".config/fish",
      ".inputrc",
      ".envrc",
      ".pam_environment",
      ".xprofile",
      ".xinitrc",
      ".tmux.conf",
      ".screenrc",
      "etc/profile",
      "etc/profile.d",
      "etc/bash.bashrc",
      "etc/environment",
    ],
    why: "a shell runs it when it starts",
  },
  {
    group: "keys",
    names: [".ssh", ".gnupg", ".netrc", ".aws", ".kube", ".docker"],
    why: "it holds keys, and names programs that use them",
  },
  {
    group: "package managers",
    names: [
      ".npmrc",
      ".yarnrc*",
      ".yarn",
      ".pnpmfile.cjs",
      ".pnp.*",
      "bunfig.toml",
      ".cargo",
      ".mvn",
      ".bazelrc",
      ".pypirc",
      "pip.conf",
      ".config/pip",
      ".gemrc",
      ".bundle",
      ".m2",
      ".gradle",
    ],
    why: "a package manager takes programs and addresses from it",
  },
  {
    group: "editors",
    names: [
      ".vscode",
      ".idea",
      ".devcontainer*",
      "*.code-workspace",
      ".vimrc",
      ".vim",
      ".exrc",
      ".nvim.lua",
      ".config/nvim",
      ".emacs",
      ".emacs.d",
      ".dir-locals.el",
      ".fleet",
      ".zed",
    ],
    why: "an editor runs its tasks",
  },
  {
    group: "checks",
    names: [
      ".husky",
      ".pre-commit-config.yaml",
      "lefthook*.y*ml",
      ".lefthook*",
      ".overcommit.yml",
      ".github/workflows",
      ".github/actions",
      ".gitlab-ci.yml",
      ".circleci",
      ".travis.yml",
      "azure-pipelines.yml",
      "bitbucket-pipelines.yml",
      "Jenkinsfile",
      ".buildkite",
      ".drone.yml",
      ".woodpecker*",
      ".forgejo/workflows",
      ".gitea/workflows",
    ],
    why: "it runs on every commit or push",
  },
  {
    group: "other agents",
    names: [
      ".mcp.json",
      ".claude",
      ".claude.json",
      ".codex",
      ".gemini",
      ".cursor",
      ".windsurf",
      ".continue",
      ".clinerules",
      ".roo",
      ".aider.conf.yml",
      ".opencode",
    ],
    why: "it tells another agent what to run and what to allow",
  },
  {
    group: "start of programs",
    names: [
      ".ripgreprc",
      ".config/autostart",
      ".config/systemd",
      "spool/cron",
      "etc/cron*",
      "etc/sudoers*",
      "etc/ld.so.preload",
      "Library/LaunchAgents",
      "proc/sys",
    ],
    why: "the system or a program runs it by itself",
  },
  {
    group: "running programs",
    names: ["proc/*/mem"],
    why: "it is the memory of a running program, which may be Wave or a hook",
  },
] as const satisfies readonly ProtectedRow[];

interface ProtectedRow {
  group: string;
  names: readonly string[];
  why: string;
}

export interface ProtectedPlaces {
  own: readonly OwnPlace[];
  /** Folders directly in which files of the table lie: the project and the home. */
  roots: readonly string[];
  exists: (path: string) => boolean;
  /** The protected files that are there, for a search that may come across any of them. */
  files: () => readonly OwnPlace[];
  /** Which files git would change. */
  brought: BroughtFiles;
  /** Where programs lie that are called by their names. */
  programs: ProgramPlaces;
  /** Another name of the same file, among those that are protected. */
  otherName: (path: string) => OwnPlace | undefined;
}

export interface ProtectedHit {
  /** What would be written, and where that leads. */
  path: string;
  why: string;
}

/** Where the rows of the table would lie directly in a folder. */
export function placesIn(folder: string): OwnPlace[] {
  return PROTECTED.flatMap(({ names, why }) =>
    names.filter((name) => !name.includes("*")).map((name) => ({ path: `${folder}/${name}`, why })),
  );
}
