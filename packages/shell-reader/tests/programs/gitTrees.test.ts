import { describe, expect, it } from "vitest";
import { readLine } from "../../src/index.ts";
import type { Becomes } from "../../src/programs/git/treeChange.ts";

/** `!` with force, `?` or a file, `*` everything, otherwise the places. */
function shown(line: string): string {
  const { accesses } = readLine(line, { folder: "/p", variables: { HOME: "/h" } });
  return accesses
    .flatMap(({ through, shown: place }) =>
      typeof through === "object"
        ? [`${through.reach === "everything" ? "*" : place} ${through.becomes.map(spelled).join(" ")}`]
        : [],
    )
    .join(", ");
}

function spelled(becomes: Becomes): string {
  if (becomes.like === "unknown") return "unknown";
  if (becomes.like === "index" || becomes.like === "nothing") return becomes.like;
  if (becomes.like !== "revision") return `${becomes.like}:${becomes.revision}`;
  const { revision, force, orFile, untracked } = becomes;
  return `${revision}${force ? "!" : ""}${orFile ? "?" : ""}${untracked ? `-${untracked}` : ""}`;
}

describe("what git makes of a work tree", () => {
  const rows: [line: string, change: string][] = [
    ["git checkout main", "* main?"],
    ["git checkout -f main", "* main!?"],
    ["git checkout -", "* -?"],
    ["git checkout main -- src", "/p/src main!"],
    ["git checkout main a b", "/p/main main!?, /p/a main!?, /p/b main!?"],
    ["git checkout -- .", "/p/. index"],
    ["git checkout -b x", ""],
    ["git checkout -b x main", "* main"],
    ["git checkout -t origin/x", "* origin/x"],
    ["git checkout -- '*.json'", "* index"],
    ["git checkout main -- :/", "* main!"],
    ["git checkout --ours a", "* unknown"],
    ["git checkout --recurse-submodules main", "* unknown"],
    ["git checkout $X", "* unknown"],
    ["git checkout $(echo main)", "* unknown"],
    ["cd sub && git checkout main", "* main?"],
    ["git switch main", "* main"],
    ["git switch --discard-changes main", "* main!"],
    ["git switch -c x", ""],
    ["git switch --orphan x", "* nothing"],
    ["git restore a", "/p/a index"],
    ["git restore --staged a", ""],
    ["git restore -s main -SW .", "/p/. main!"],
    ["git reset --hard", "* HEAD!"],
    ["git reset --hard main", "* main!"],
    ["git reset main", ""],
    ["git stash", "* HEAD!"],
    ["git stash -u", "* HEAD!-taken"],
    ["git stash push -m x -- src", "/p/src HEAD!"],
    ["git stash pop", "* stash:refs/stash@{0}"],
    ["git stash apply stash@{2}", "* stash:refs/stash@{2}"],
    ["git stash drop", ""],
    ["git merge a b", "* merged:a merged:b"],
    ["git merge", "* merged:@{upstream}"],
    ["git merge -s subtree a", "* unknown"],
    ["git merge --continue", ""],
    ["git merge --abort", "* HEAD!"],
    ["git pull", "* merged:@{upstream}"],
    ["git pull --rebase origin main", "* merged:refs/remotes/origin/main"],
    ["git pull http://x/y main", "* unknown"],
    ["git rebase main", "* merged:main"],
    ["git rebase --onto a b c", "* c! a!"],
    ["git rebase -i main", "* unknown"],
    ["git rebase --continue", "* unknown"],
    ["git cherry-pick a b..c", "* replayed:a replayed:b..c"],
    ["git cherry-pick ^a b", "* unknown replayed:b"],
    ["git revert HEAD", "* replayed:HEAD"],
    ["git bisect start", "* unknown"],
    ["git bisect log", ""],
    ["git read-tree -u --reset a", "* a!"],
    ["git read-tree a", ""],
    ["git checkout-index -a -f", "* index"],
    ["git submodule update", "* unknown"],
    ["git submodule status", ""],
    ["git co main", "* unknown"],
    ["git $X main", "* unknown"],
    ["git -c core.worktree=/x checkout main", "* unknown"],
    ["git -c advice.detachedHead=false checkout main", "* main?"],
    ["git --icase-pathspecs checkout a -- SRC", "/p/SRC unknown"],
    ["git rerere", "* unknown"],
    ["echo main | xargs git checkout", "* unknown"],
    ["git commit -m x", ""],
    ["git push -u origin x", ""],
    ["git fetch --all", ""],
    ["git --help", ""],
  ];
  it.each(rows)("%j: %j (T82, G27)", (line, change) => {
    expect(shown(line)).toBe(change);
  });

  it.each([
    "GIT_DIR=/x git checkout a",
    "export GIT_DIR=/x; git checkout a",
    "env GIT_WORK_TREE=/x git checkout a",
    "git --git-dir=/x checkout a",
    "cd $X && git checkout a",
  ])("%j: in which folder is not known (T82)", (line) => {
    const { accesses } = readLine(line, { folder: "/p", variables: {} });
    const folders = accesses.map(
      ({ through }) => typeof through === "object" && through.folder === undefined,
    );
    expect(folders).toContain(true);
  });

  const lines: [line: string, change: string][] = [
    ["git checkout a && git checkout b", "* a?, * b!?"],
    ["git checkout a && git merge b", "* a?, * b!"],
    ["git checkout a && git pull", "* a?, * a@{upstream}!"],
    ["git checkout a && git reset --hard HEAD~1", "* a?, * unknown"],
    ["git commit -m x && git pull --rebase", "* @{upstream}! index"],
    ["git commit -m x && git checkout HEAD~1", "* unknown index"],
    ["git stash && git pull && git stash pop", "* HEAD!, * merged:@{upstream}, * stash:refs/stash@{0}"],
    ["git stash drop && git stash pop", "* unknown"],
    ["git stash pop && git stash pop", "* stash:refs/stash@{0}, * unknown"],
    ["git branch -f a b && git checkout a", "* unknown"],
    ["git branch -D a && git checkout b", "* b?"],
    ["git update-ref refs/heads/a b; git checkout a", "* unknown"],
    ["git reset --soft a; git reset --hard", "* unknown"],
    ["git update-index --cacheinfo x; git checkout -- .", "/p/. unknown"],
    ["git fetch && git merge origin/main", "* merged:origin/main"],
    ["git fetch origin main && git merge FETCH_HEAD", "* unknown"],
    ["git fetch . +a:b && git checkout b", "* unknown"],
    ["git push . a:b && git checkout b", "* unknown"],
    ["git push origin a && git checkout b", "* b?"],
    ["git tag x y && git checkout x", "* unknown"],
    ["for i in 1 2; do git revert HEAD~1; done", "* replayed:HEAD~1, * unknown"],
  ];
  it.each(lines)("%j is seen in its order: %j (T82, G27)", (line, change) => {
    expect(shown(line)).toBe(change);
  });
});
