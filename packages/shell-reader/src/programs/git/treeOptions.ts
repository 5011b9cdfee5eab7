import { optionList } from "../options.ts";

/** The options of commands that change a work tree, as far as it is known what they do to it. */
export const CHECKOUT = optionList(
  "2 3 b= B= d f l m p q t ours theirs merge patch quiet force track? no-track orphan= detach conflict= guess no-guess progress " +
    "no-progress overlay no-overlay overwrite-ignore no-overwrite-ignore ignore-skip-worktree-bits ignore-other-worktrees " +
    "no-recurse-submodules",
);
export const SWITCH = optionList(
  "c= C= d f m q t create= force-create= detach discard-changes force merge conflict= quiet track? no-track orphan= guess no-guess " +
    "progress no-progress ignore-other-worktrees no-recurse-submodules",
);
export const RESTORE = optionList(
  "s= S W p q source= staged worktree patch quiet ignore-unmerged ignore-skip-worktree-bits overlay no-overlay progress " +
    "no-progress no-recurse-submodules",
);
export const RESET = optionList(
  "q p N hard soft mixed merge keep quiet patch no-refresh refresh no-recurse-submodules",
);
export const STASH = optionList(
  "p k u a q S m= index patch keep-index no-keep-index include-untracked no-include-untracked all quiet staged message=",
);
export const MERGE = optionList(
  "n e q v S? m= s= X= F=r commit no-commit edit no-edit cleanup= ff ff-only no-ff gpg-sign? no-gpg-sign log? no-log signoff " +
    "no-signoff stat no-stat compact-summary squash no-squash verify no-verify strategy= strategy-option= verify-signatures " +
    "no-verify-signatures summary no-summary quiet verbose progress no-progress autostash no-autostash " +
    "allow-unrelated-histories no-rerere-autoupdate rerere-autoupdate file=r abort quit continue",
);
export const PULL = optionList(
  "n e q v S? s= X= r j= a p 4 6 commit no-commit edit no-edit cleanup= ff ff-only no-ff log? no-log signoff no-signoff stat no-stat " +
    "squash no-squash verify no-verify strategy= strategy-option= quiet verbose progress autostash no-autostash rebase? no-rebase " +
    "allow-unrelated-histories tags no-tags prune jobs= all depth= unshallow no-recurse-submodules ipv4 ipv6 set-upstream",
);
export const REBASE = optionList(
  "q v n S? s= X= C= f m p onto= keep-base quiet verbose stat no-stat verify no-verify strategy= strategy-option= autostash " +
    "no-autostash no-ff force-rebase signoff committer-date-is-author-date ignore-date reset-author-date ignore-whitespace " +
    "whitespace= merge no-keep-empty keep-empty empty= fork-point no-fork-point reapply-cherry-picks no-reapply-cherry-picks " +
    "update-refs no-update-refs gpg-sign? no-gpg-sign abort continue skip quit show-current-patch",
);
export const PICK = optionList(
  "e n s x r S? m= X= edit no-edit no-commit signoff mainline= strategy= strategy-option= ff allow-empty allow-empty-message " +
    "keep-redundant-commits empty= cleanup= gpg-sign? no-gpg-sign rerere-autoupdate no-rerere-autoupdate reference abort continue " +
    "skip quit",
);
export const READ_TREE = optionList(
  "m i u n v q reset trivial aggressive dry-run quiet empty index-output=w no-sparse-checkout",
);
export const CHECKOUT_INDEX = optionList("a f n q u all force no-create quiet index");
