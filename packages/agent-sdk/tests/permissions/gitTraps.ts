import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Where a trap is laid, and what it would reach. */
export interface Trapped {
  /** A repository with two commits: `a.txt`, and `src/b.txt`. */
  repo: string;
  /** A repository outside of the project, with SECRET in its only commit, whose name is `commit`. */
  secret: string;
  commit: string;
  /** A command that leaves a file behind. */
  fires: string;
}

interface Trap {
  lay: (at: Trapped) => void;
  /** What would spring it, from the repository. */
  springs: (at: Trapped) => string;
}

const settings = (repo: string, text: string) => appendFileSync(join(repo, ".git/config"), text);
const git = (repo: string, ...args: string[]) =>
  execFileSync("git", ["-C", repo, ...args], { encoding: "utf8" }).trim();
const put = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const link = (to: string, at: string) => {
  mkdirSync(dirname(at), { recursive: true });
  rmSync(at, { recursive: true, force: true });
  symlinkSync(to, at);
};
const script = (file: string, command: string) => {
  put(file, `#!/bin/sh\n${command}\n`);
  chmodSync(file, 0o755);
};
/** What a person would have to fetch: a blob that is not there. */
const loseBlob = (repo: string) => {
  const id = git(repo, "rev-parse", "HEAD:a.txt");
  rmSync(join(repo, ".git/objects", id.slice(0, 2), id.slice(2)), { force: true });
};
const always = (line: string) => () => line;

/** Repositories that a folder can bring along and in which a command of git that only reads would do more, or read elsewhere. */
export const GIT_TRAPS: Record<string, Trap> = {
  "a hook on every change of the index": {
    lay: ({ repo, fires }) => script(join(repo, ".git/hooks/post-index-change"), fires),
    springs: always("git status"),
  },
  "such a hook where the settings say": {
    lay: ({ repo, fires }) => {
      script(join(repo, "tools/post-index-change"), fires);
      settings(repo, "[core]\n\thooksPath = tools\n");
    },
    springs: always("git describe --always --dirty"),
  },
  "a remote from which git fetches what is missing": {
    lay: ({ repo, secret, fires }) => {
      settings(
        repo,
        `[remote "o"]\n\turl = ${secret}\n\tpromisor = true\n\tuploadpack = "${fires};git-upload-pack"\n`,
      );
      loseBlob(repo);
    },
    springs: always("git log -p"),
  },
  "the same as an extension": {
    lay: ({ repo, secret, fires }) => {
      git(repo, "config", "core.repositoryformatversion", "1");
      settings(
        repo,
        `[extensions]\n\tpartialClone = o\n[remote "o"]\n\turl = ${secret}\n\tuploadpack = "${fires};git-upload-pack"\n`,
      );
      loseBlob(repo);
    },
    springs: always("git show"),
  },
  "a file system monitor": {
    lay: ({ repo, fires }) => settings(repo, `[core]\n\tfsmonitor = "${fires};false"\n`),
    springs: always("git status"),
  },
  "a filter": {
    lay: ({ repo, fires }) => {
      settings(repo, `[filter "x"]\n\tclean = "${fires};cat"\n`);
      put(join(repo, ".git/info/attributes"), "* filter=x\n");
      put(join(repo, "a.txt"), "another\n");
    },
    springs: always("git diff"),
  },
  "a text converter": {
    lay: ({ repo, fires }) => {
      settings(repo, `[diff "x"]\n\ttextconv = "${fires};cat"\n`);
      put(join(repo, ".git/info/attributes"), "* diff=x\n");
    },
    springs: always("git show"),
  },
  "a program for differences": {
    lay: ({ repo, fires }) => settings(repo, `[diff]\n\texternal = "${fires};true"\n`),
    springs: always("git diff HEAD~1"),
  },
  "settings that are included": {
    lay: ({ repo, fires }) => {
      put(join(repo, "more"), `[core]\n\tfsmonitor = "${fires};false"\n`);
      settings(repo, "[include]\n\tpath = ../more\n");
    },
    springs: always("git status"),
  },
  "a format that has signatures checked": {
    lay: ({ repo, fires }) => {
      signedCommit(repo);
      script(join(repo, "../../../bin/gpg"), fires);
      settings(repo, '[format]\n\tpretty = "%"G"G"\n');
    },
    springs: always("git log"),
  },
  "a folder with nothing in its .git": {
    lay: ({ repo, fires }) => {
      settings(repo, `[core]\n\tfsmonitor = "${fires};false"\n`);
      mkdirSync(join(repo, "inner/.git"), { recursive: true });
    },
    springs: always("cd inner && git status"),
  },
  "a folder whose .git only looks like one": {
    lay: ({ repo, fires }) => {
      settings(repo, `[core]\n\tfsmonitor = "${fires};false"\n`);
      for (const name of ["objects", "refs"]) mkdirSync(join(repo, "inner/.git", name), { recursive: true });
      put(join(repo, "inner/.git/HEAD"), "nonsense");
    },
    springs: always("cd inner && git status"),
  },
  "a .git that names a folder with an end of line in it": {
    lay: ({ repo, fires }) => otherGit(repo, "good\nevil", fires),
    springs: always("git status"),
  },
  "a .git that names a folder with a blank at its end": {
    lay: ({ repo, fires }) => otherGit(repo, "good ", fires),
    springs: always("git status"),
  },
  "a .git that says with a blank where its settings are": {
    lay: ({ repo, fires }) => {
      const real = join(repo, ".git");
      for (const name of ["common", "common "]) cpSync(real, join(repo, name), { recursive: true });
      appendFileSync(join(repo, "common /config"), `[core]\n\tfsmonitor = "${fires};false"\n`);
      put(join(real, "commondir"), "../common ");
    },
    springs: always("git status"),
  },
  "a .git that is a file and names another repository": {
    lay: ({ repo, secret }) => {
      rmSync(join(repo, ".git"), { recursive: true });
      put(join(repo, ".git"), `gitdir: ${secret}/.git\n`);
    },
    springs: always("git log -p"),
  },
  "a .git that is a link": {
    lay: ({ repo, secret }) => link(join(secret, ".git"), join(repo, ".git")),
    springs: always("git show"),
  },
  "a .git that shares another repository": {
    lay: ({ repo, secret }) => {
      put(join(repo, ".git/commondir"), join(secret, ".git"));
      cpSync(join(secret, ".git/HEAD"), join(repo, ".git/HEAD"));
    },
    springs: always("git log -p --all"),
  },
  "objects that are a link": {
    lay: ({ repo, secret }) => link(join(secret, ".git/objects"), join(repo, ".git/objects")),
    springs: ({ commit }) => `git show ${commit}`,
  },
  "objects that lie elsewhere": {
    lay: ({ repo, secret }) =>
      put(join(repo, ".git/objects/info/alternates"), join(secret, ".git/objects\n")),
    springs: ({ commit }) => `git show ${commit}`,
  },
  "objects that lie elsewhere, at second hand": {
    lay: ({ repo, secret }) => {
      put(join(repo, "more/info/alternates"), `# none\n${join(secret, ".git/objects")}\n`);
      put(join(repo, ".git/objects/info/alternates"), "../../more\n");
    },
    springs: ({ commit }) => `git show ${commit}`,
  },
  "a link in the place of commits that are cut off": {
    lay: ({ repo, secret }) => link(join(secret, "key"), join(repo, ".git/shallow")),
    springs: always("git log"),
  },
  "a link in the place of branches": {
    lay: ({ repo, secret }) => link(join(secret, "key"), join(repo, ".git/packed-refs")),
    springs: always("git branch -a"),
  },
  "a link in the place of what is still to be replayed": {
    lay: ({ repo, secret }) => {
      const state = join(repo, ".git/rebase-merge");
      for (const name of ["interactive", "done"]) put(join(state, name), "pick\n");
      put(join(state, "head-name"), "refs/heads/x\n");
      put(join(state, "onto"), `${git(repo, "rev-parse", "HEAD")}\n`);
      link(join(secret, "key"), join(state, "git-rebase-todo"));
    },
    springs: always("git status"),
  },
  "a folder of tracked files that has become a link": {
    lay: ({ repo, secret }) => link(secret, join(repo, "src")),
    springs: always("git grep SECRET"),
  },
  "such a folder, and one of its files by name": {
    lay: ({ repo, secret }) => link(secret, join(repo, "src")),
    springs: always("git blame src/b.txt"),
  },
  "such a folder, and one of its files beside one that git keeps": {
    lay: ({ repo, secret }) => link(secret, join(repo, "src")),
    springs: always("git diff HEAD:a.txt src/b.txt"),
  },
  "a file outside beside one of the repository": {
    lay: () => {},
    springs: ({ secret }) => `git diff -U ${secret}/key a.txt`,
  },
  "a file outside by a way through the project": {
    lay: ({ repo }) => mkdirSync(join(repo, "way")),
    springs: () => "git diff way/../../../../secret/key a.txt",
  },
  "a file behind a link, of which git need know nothing": {
    lay: ({ repo, secret }) => link(secret, join(repo, "src")),
    springs: always("git diff --no-index a.txt src/key"),
  },
  "the folder itself in the place of its .git": {
    lay: ({ repo, fires }) => {
      for (const name of ["HEAD", "objects", "refs", "config"])
        cpSync(join(repo, ".git", name), join(repo, name), { recursive: true });
      appendFileSync(join(repo, "config"), `[diff "x"]\n\ttextconv = "${fires};cat"\n`);
      put(join(repo, "info/attributes"), "* diff=x\n");
    },
    springs: always("git --bare show HEAD"),
  },
  "a repository in the history of another": {
    lay: ({ repo, fires }) => {
      cpSync(repo, `${repo}-copy`, { recursive: true });
      renameSync(`${repo}-copy`, join(repo, "inner"));
      git(repo, "update-index", "--add", "--cacheinfo", `160000,${git(repo, "rev-parse", "HEAD")},inner`);
      git(repo, ...AS_SOMEBODY, "commit", "-qm", "three");
      git(repo, "rm", "-q", "--cached", "inner");
      git(repo, ...AS_SOMEBODY, "commit", "-qm", "four");
      settings(join(repo, "inner"), `[diff]\n\texternal = "${fires};true"\n`);
    },
    springs: always("git log -p --submodule=diff"),
  },
  "a signature": {
    lay: ({ repo, fires }) => {
      signedCommit(repo);
      script(join(repo, "../../../bin/gpg"), fires);
    },
    springs: always("git log --format='%h %G? %GG'"),
  },
};

export const AS_SOMEBODY = ["-c", "user.name=a", "-c", "user.email=a@localhost"];

/** The `.git` of a repository under another name, beside one that is harmless and has a name much like it. */
function otherGit(repo: string, name: string, fires: string): void {
  cpSync(join(repo, ".git"), join(repo, "good"), { recursive: true });
  renameSync(join(repo, ".git"), join(repo, name));
  appendFileSync(join(repo, name, "config"), `[core]\n\tfsmonitor = "${fires};false"\n`);
  put(join(repo, ".git"), `gitdir: ${name}`);
}

function signedCommit(repo: string): void {
  const text = [
    `tree ${git(repo, "rev-parse", "HEAD^{tree}")}`,
    "author a <a@localhost> 1 +0000",
    "committer a <a@localhost> 1 +0000",
    "gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n\nm\n",
  ];
  put(join(repo, ".git/commit"), text.join("\n"));
  git(
    repo,
    "reset",
    "-q",
    "--hard",
    git(repo, "hash-object", "-t", "commit", "-w", join(repo, ".git/commit")),
  );
}

/** Repositories as people have them, with what tools write into their settings: in these, reading needs no question. */
export const ORDINARY_REPOSITORIES: Record<string, (at: Trapped) => void> = {
  "a clone": ({ repo }) =>
    settings(
      repo,
      '[remote "origin"]\n\turl = https://localhost/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\tgh-resolved = base\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n\tvscode-merge-base = origin/main\n',
    ),
  husky: ({ repo }) => {
    script(join(repo, ".husky/_/pre-commit"), "true");
    settings(repo, "[core]\n\thooksPath = .husky/_\n");
  },
  "hooks for commits": ({ repo }) => {
    script(join(repo, "tools/check"), "true");
    link("../../tools/check", join(repo, ".git/hooks/pre-commit"));
    link("/usr/bin/true", join(repo, ".git/hooks/pre-push"));
  },
  aliases: ({ repo }) => settings(repo, "[alias]\n\tst = status\n\tgo = !make\n\tstatus = !make\n"),
  "a credential helper": ({ repo }) =>
    settings(repo, '[credential]\n\thelper = store\n[credential "https://localhost"]\n\tusername = a\n'),
  "an extra header": ({ repo }) =>
    settings(repo, '[http "https://localhost/"]\n\textraheader = AUTHORIZATION: basic x\n'),
  "git-lfs": ({ repo }) =>
    settings(
      repo,
      '[lfs]\n\trepositoryformatversion = 0\n[lfs "https://localhost/a.git/info/lfs"]\n\taccess = basic\n\tlocksverify = true\n',
    ),
  "an editor and a key": ({ repo }) => settings(repo, "[core]\n\teditor = vim\n\tsshCommand = ssh -i key\n"),
  "a work tree of another": ({ repo }) => {
    cpSync(repo, `${repo}-main`, { recursive: true });
    rmSync(repo, { recursive: true });
    git(`${repo}-main`, "worktree", "add", "-q", repo);
  },
};
