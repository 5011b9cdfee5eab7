import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gitEnvironment } from "./layout.ts";

/**
 * A repository with branches that differ in protected files, and others that do not: `feature` and `upstream` change src, `evil`
 * changes .vscode/tasks.json and brings a workflow and a hook's script, `less` has no .vscode. `both` is a branch like evil and a
 * tag like feature. stash@{0} is about src, stash@{1} about .vscode.
 */
export function layOutTrees(project: string, home: string): void {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: project, env: gitEnvironment(home), stdio: "pipe" });
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  const commit = (name: string) => {
    git("add", "-A", "-f", ".");
    git("commit", "-qm", name);
    git("tag", `at-${name}`);
  };
  git("init", "-q", "--template=");
  git("symbolic-ref", "HEAD", "refs/heads/main");
  git("remote", "add", "origin", "../nowhere");
  put("src/a.txt", "a\n");
  put("src/b.txt", "b\n");
  put(TASKS, "zero\n");
  commit("zero");
  put(TASKS, "one\n");
  commit("one");
  const branch = (name: string, change: () => void) => {
    git("checkout", "-q", "-b", name, "at-one");
    change();
    commit(name);
    git("checkout", "-q", "main");
  };
  branch("upstream", () => put("src/c.txt", "upstream\n"));
  branch("evil", () => {
    put(TASKS, "evil\n");
    put(".github/workflows/x.yml", "evil\n");
    put("scripts/later.sh", "evil\n");
  });
  branch("less", () => rmSync(join(project, TASKS)));
  branch("feature", () => put("src/b.txt", "feature\n"));
  git("branch", "both", "evil");
  git("tag", "both", "feature");
  git("update-ref", "refs/remotes/origin/theirs", "evil");
  git("update-ref", "refs/remotes/origin/main", "upstream");
  put("src/a.txt", "two\n");
  commit("two");
  put(TASKS, "aside\n");
  git("stash", "-q");
  put("src/b.txt", "aside\n");
  git("stash", "-q");
}

export const TASKS = ".vscode/tasks.json";

/** What the tests look at afterwards. */
export const treePicture = (project: string) =>
  [TASKS, ".github/workflows/x.yml", "scripts/later.sh"]
    .map((path) => {
      try {
        return readFileSync(join(project, path), "utf8");
      } catch {
        // It is not there, which is an answer as well.
        return "-";
      }
    })
    .join("");

export interface TreeRoute {
  command: string;
  /** What the question says. */
  names: RegExp;
  /** Somebody changed .vscode/tasks.json on disk before. */
  dirty?: true;
  /** It needs another machine, or does nothing here and could elsewhere. */
  notRun?: true;
}

const replaces = (command: string): TreeRoute => ({
  command,
  names: /tasks\.json \(`git .*` would replace it\)/,
});
const changes = (command: string): TreeRoute => ({
  command,
  names: /tasks\.json \(`git .*` would change it\)/,
});
const removes = (command: string): TreeRoute => ({
  command,
  names: /tasks\.json \(`git .*` would remove it\)/,
});
const unknown = (command: string, why: RegExp): TreeRoute => ({
  command,
  names: new RegExp(`files that \`.*\` brings: Wave cannot tell.*${why.source}`),
});
const dirty = (route: TreeRoute): TreeRoute => ({ ...route, dirty: true });
const notRun = (route: TreeRoute): TreeRoute => ({ ...route, notRun: true });

/** Ways in which git changes a protected file along with a whole work tree. */
export const TREE_ROUTES: TreeRoute[] = [
  replaces("git checkout evil"),
  { command: "git checkout evil", names: /workflows\/x\.yml \(`git checkout evil` would bring it\)/ },
  { command: "git checkout evil", names: /later\.sh \(`git checkout evil` would bring it\): hook later/ },
  removes("git checkout less"),
  replaces("cd src && git checkout evil"),
  replaces("git -C src switch evil"),
  replaces("git checkout -b mine evil"),
  replaces("git checkout theirs"),
  replaces("git switch both"),
  replaces("git checkout --detach at-evil"),
  replaces("git checkout evil -- ."),
  replaces("git checkout evil -- '*.json'"),
  replaces("git restore -s evil ."),
  replaces("git reset --hard evil"),
  replaces("git reset --keep HEAD~2"),
  replaces("git merge -q evil"),
  replaces("git merge --squash evil"),
  removes("git merge -q less"),
  replaces("git rebase -q evil"),
  replaces("git rebase -q --onto evil main~1"),
  changes("git cherry-pick evil"),
  changes("git cherry-pick at-one..evil"),
  changes("git revert --no-edit at-one"),
  replaces("git stash apply stash@{1}"),
  replaces("git read-tree -u --reset evil"),
  removes("git switch --orphan x"),
  replaces("git checkout feature && git merge -q evil"),
  replaces("for i in 1; do git checkout evil; done"),
  dirty(replaces("git checkout .")),
  dirty(replaces("git checkout -f feature")),
  dirty(replaces("git restore .")),
  dirty(replaces("git reset --hard")),
  dirty(replaces("git stash")),
  dirty(replaces("git checkout-index -a -f")),
  notRun(replaces("git pull origin theirs")),
  unknown("B=evil; export B; git checkout ${B#x}", /may become an option/),
  unknown("git branch -f feature evil && git checkout feature", /changes what git keeps/),
  unknown("git -c alias.co=checkout co evil", /changes what git keeps|no known command/),
  notRun(unknown("git checkout nowhere", /git does not know nowhere/)),
  notRun(unknown("git rebase --continue", /which commits are left/)),
  notRun(unknown("git submodule update --init", /other repositories/)),
];

/** What people do all day; nothing protected comes out different. */
export const TREE_EVERYDAY = [
  "git checkout feature",
  "git checkout -q feature",
  "git checkout -",
  "git checkout upstream -- src",
  "git checkout src/a.txt",
  "git checkout -- .",
  "git checkout -b x",
  "git checkout -b x feature",
  "git switch feature",
  "git switch -c x",
  "git restore .",
  "git restore src",
  "git reset --hard",
  "git reset --hard HEAD~1",
  "git stash",
  "git stash -u",
  "git stash pop",
  "git stash && git pull origin main && git stash pop",
  "git merge --ff-only upstream",
  "git merge feature",
  "git rebase feature",
  "git pull --rebase origin main",
  "git cherry-pick feature",
  "git revert --no-edit HEAD",
  "git checkout feature && git merge upstream",
  "git commit -am x && git checkout feature",
  "git fetch && git merge origin/main",
];
