import { describe, expect, it } from "vitest";
import { matchRules } from "@/permissions/matchRules.ts";
import { allowedByRules, readCall, ruleMatches } from "@/permissions/rules.ts";
import { CONTEXT, placed, runs } from "./rulesHelper.ts";

function heldBack(rule: string, command: string): string | undefined {
  return ruleMatches(placed(rule), readCall({ toolName: "Bash", effect: runs(command) }), CONTEXT);
}

describe("a deny or ask rule for a command", () => {
  const caught: [rule: string, line: string][] = [
    // Somewhere on the line.
    ["Bash(rm:*)", "rm -rf x"],
    ["Bash(rm:*)", "echo a && rm x"],
    ["Bash(rm:*)", "echo a; ls | rm x &"],
    ["Bash(rm:*)", "if true; then for f in a; do rm $f; done; fi"],
    ["Bash(rm:*)", "echo $(rm x)"],
    ["Bash(rm:*)", 'echo "${x:-`rm x`}"'],
    ["Bash(rm:*)", "cat <(rm x)"],
    ["Bash(rm:*)", "cat <<E\n$(rm x)\nE"],
    ["Bash(cat:*)", "echo \"$(cat <<'E'\nx\nE\n)\""],
    ["Bash(rm:*)", "\"$(cat <<'E'\nrm\nE\n)\" y"],
    ["Bash(rm:*)", "CI=1 rm x"],
    ["Bash(rm:*)", "f() { rm x; }; f"],
    ["Bash(rm:*)", "X=1 rm x > y"],
    ["Bash(rm:*)", "coproc rm x"],
    ["Bash(rm:*)", "!(rm x)"],
    // The shell does itself what cat would do.
    ["Bash(cat:*)", "echo $(<x)"],
    ["Bash(cat x)", 'echo "`< x`"'],
    // Spelled otherwise.
    ["Bash(rm:*)", "/bin/rm x"],
    ["Bash(rm:*)", "\\rm x"],
    ["Bash(rm:*)", "r''m x"],
    ["Bash(rm:*)", "r\\\nm x"],
    ["Bash(rm:*)", "$'\\x72m' x"],
    ["Bash(rm:*)", "r$X x"],
    ["Bash(rm:*)", "rm"],
    ["Bash(rm *)", "rm -rf x"],
    ["Bash(rm -rf:*)", "rm  -rf   x"],
    ["Bash(/bin/rm:*)", "rm x"],
    // Behind another program.
    ["Bash(rm:*)", "sudo rm x"],
    ["Bash(rm:*)", "sudo -u root -- rm x"],
    ["Bash(rm:*)", "env A=b rm x"],
    ["Bash(rm:*)", "env -i -u HOME rm x"],
    ["Bash(rm:*)", "command rm x"],
    ["Bash(rm:*)", "nohup nice -n 5 timeout -k 1 5 rm x"],
    ["Bash(rm:*)", "time rm x"],
    ["Bash(rm:*)", "find . -name '*.o' -exec rm {} +"],
    ["Bash(rm:*)", "fd -x rm"],
    ["Bash(rm:*)", "ls | xargs -0 -n1 rm"],
    ["Bash(rm:*)", "bash -c 'echo a; rm x'"],
    ["Bash(rm:*)", "bash -c rm"],
    ["Bash(rm:*)", "sudo bash -lc 'cd x && rm y'"],
    ["Bash(rm:*)", `bash -c "bash -c 'rm x'"`],
    ["Bash(rm:*)", "eval 'rm x'"],
    ["Bash(rm:*)", "eval rm x"],
    ["Bash(rm:*)", "trap 'rm x' EXIT"],
    ["Bash(rm:*)", "env -S 'rm x'"],
    ["Bash(rm:*)", "su -c 'rm x'"],
    ["Bash(rm:*)", "busybox rm x"],
    // Between git and its subcommand.
    ["Bash(git push:*)", "git push"],
    ["Bash(git push:*)", "git -C dir push origin"],
    ["Bash(git push:*)", "git -c http.proxy=x push"],
    ["Bash(git push:*)", "git --git-dir=x --work-tree y --no-pager push"],
    ["Bash(git push:*)", "cd dir && git push"],
    ["Bash(git push:*)", "git $OPTIONS push"],
    ["Bash(git push:*)", "git $COMMAND"],
    ["Bash(git push:*)", "git p{ush,ull}"],
    ["Bash(git push * --force)", "git push origin main --force"],
    ["Bash(git push * --force)", "git push $REMOTE --force"],
    ["Bash(git push *--force*)", "git -C d push origin --force-with-lease"],
    ["Bash(* --force)", "npm publish --force"],
    // Exactly.
    ["Bash(npm run deploy)", "npm run deploy"],
    ["Bash(npm run deploy)", "npm run $SCRIPT"],
    ["Bash(rm -rf /)", 'rm -rf "$DIR"'],
    // Not understood, and named.
    ["Bash(rm:*)", "$X; rm"],
    ["Bash(rm:*)", "X=rm; $X y"],
    ["Bash(rm:*)", "bash -c 'X=rm; $X y'"],
    ["Bash(rm:*)", "rm$IFS-rf y"],
    ["Bash(rm:*)", "echo 'rm x' | sh"],
    ["Bash(rm:*)", "bash <<< 'rm x'"],
    ["Bash(rm:*)", 'python3 -c "$(cat rm'],
    ["Bash(rm:*)", "echo 'rm x"],
    ["Bash(rm:*)", "source rm"],
    ["Bash(rm:*)", "echo @(a|rm)"],
    ["Bash(rm:*)", "[[ 'a[$(rm x)]' -eq 0 ]]"],
    ["Bash(rm:*)", "x='$(rm y)'; echo ${x@P}"],
    ["Bash(rm:*)", "let 'a[$(rm y)]=1'"],
    ["Bash(rm:*)", "mapfile -C rm -c 1 x < y"],
    ["Bash(rm:*)", "(( a[$(rm y)] ))"],
    ["Bash(rm:*)", "x='b[$(rm y)]'; a[x]=1"],
    ["Bash(rm:*)", "x='b[$(rm y)]'; a=([x]=1)"],
    ["Bash(rm:*)", "x='b[$(rm y)]'; test -v 'a[x]'"],
    ["Bash(rm:*)", "x='b[$(rm y)]'; wait -p 'a[x]'"],
    // In an option, a setting or a small language of another program.
    ["Bash(curl:*)", "env --split-string='curl x'"],
    ["Bash(curl:*)", "env --split-string=curl"],
    ["Bash(curl:*)", "env -S'curl x'"],
    ["Bash(curl:*)", "env PAGER=curl git log"],
    ["Bash(curl:*)", "su -c'curl x'"],
    ["Bash(curl:*)", "/usr/bin/cur? x"],
    ["Bash(curl:*)", "/usr/bin/[c]url x"],
    ["Bash(curl:*)", "/usr/bin/???? x"],
    ["Bash(curl:*)", "$BIN/curl x"],
    ["Bash(curl:*)", "test -v 'a[$(curl x)]'"],
    ["Bash(curl:*)", "[ -v 'a[$(curl x)]' ]"],
    ["Bash(curl:*)", "bash /dev/fd/3 3<<< 'curl x'"],
    ["Bash(curl:*)", "bash /dev/stdin <<< 'curl x'"],
    ["Bash(curl:*)", "git -c alias.z='!curl x' z"],
    ["Bash(curl:*)", "git config alias.z '!curl x'; git z"],
    ["Bash(git push:*)", "git -c alias.p=push p"],
    ["Bash(git push:*)", "git --config-env=alias.p=X p"],
    ["Bash(curl:*)", "git grep -Ocurl h"],
    ["Bash(curl:*)", "git grep --open-files-in-pager=curl h"],
    ["Bash(curl:*)", "git grep --open-files=curl h"],
    ["Bash(curl:*)", "git grep -nOcurl h"],
    ["Bash(curl:*)", "git grep --op=curl h"],
    ["Bash(curl:*)", "git clone -u 'curl x' . c"],
    ["Bash(curl:*)", "git clone -qucurl . c"],
    ["Bash(curl:*)", "git clone --u 'curl x' . c"],
    ["Bash(curl:*)", "git clone --upload='curl x' . c"],
    ["Bash(curl:*)", "git ls-remote --e='curl x' ."],
    ["Bash(curl:*)", "git push --e 'curl x' o"],
    ["Bash(curl:*)", "git difftool -yx 'curl x'"],
    ["Bash(curl:*)", "git -c tar.x.command='curl x' archive --format=x HEAD"],
    ["Bash(curl:*)", "git -c hook.x.command='curl x' commit"],
    ["Bash(curl:*)", "git config submodule.x.update '!curl x'"],
    ["Bash(curl:*)", "git filter-branch --setup 'curl x' HEAD"],
    ["Bash(curl:*)", "git send-email --to-cmd='curl x' x"],
    ["Bash(curl:*)", "git remote-ext x 'curl x'"],
    ["Bash(curl:*)", "git rebase -ix 'curl x' main"],
    ["Bash(curl:*)", "git rebase -x 'curl x' main"],
    ["Bash(curl:*)", "git submodule foreach 'curl x'"],
    ["Bash(curl:*)", "git bisect run curl x"],
    ["Bash(curl:*)", "git -c core.fsmonitor='curl x' status"],
    ["Bash(curl:*)", "git -c core.sshCommand=curl fetch"],
    ["Bash(curl:*)", "git -c core.pager='curl x' log"],
    ["Bash(curl:*)", "git -c core.editor=/usr/bin/curl commit"],
    ["Bash(curl:*)", "GIT_SSH_COMMAND='curl x' git ls-remote"],
    ["Bash(curl:*)", "BASH_ENV=<(echo curl x) bash -c true"],
    ["Bash(curl:*)", "ENV=curl sh"],
    ["Bash(curl:*)", "PAGER='curl x' git log"],
    ["Bash(curl:*)", "GIT_EXTERNAL_DIFF=curl git diff"],
    ["Bash(curl:*)", "NODE_OPTIONS='--require curl' node x"],
    ["Bash(curl:*)", "PYTHONSTARTUP=curl python3 -i"],
    ["Bash(curl:*)", "PERL5OPT='-M curl' perl x"],
    ["Bash(curl:*)", "LD_PRELOAD=curl ls"],
    ["Bash(curl:*)", "/usr/b$X/curl x"],
    ["Bash(curl:*)", "split --filter='curl x' f"],
    ["Bash(curl:*)", "sort --compress-program=curl f"],
    ["Bash(curl:*)", "sort --compress-program curl f"],
    ["Bash(curl:*)", "tar --to-command='curl x' -xf a.tar"],
    ["Bash(curl:*)", "tar cf a.tar --checkpoint-action=exec='curl x' b"],
    ["Bash(curl:*)", "rg --pre curl x"],
    ["Bash(curl:*)", "rsync -e 'curl x' a b:"],
    ["Bash(curl:*)", "sed -n '1e curl x' f"],
    ["Bash(curl:*)", "sed -n -e '1ecurl x' f"],
    ["Bash(curl:*)", "sed 's/.*/curl x/e' f"],
    ["Bash(curl:*)", "awk 'BEGIN{system(\"curl x\")}'"],
    ["Bash(curl:*)", "awk -v c='curl x' 'BEGIN{system(c)}'"],
    ["Bash(curl:*)", "awk '{print | \"curl x\"}' f"],
    ["Bash(curl:*)", "ssh -o ProxyCommand='curl x' a"],
    ["Bash(curl:*)", "ssh -oProxyCommand='curl x' a"],
    ["Bash(curl:*)", "npm exec -c 'curl x'"],
    ["Bash(curl:*)", "npm exec --call='curl x'"],
    ["Bash(curl:*)", "pnpm exec curl x"],
    // Behind a program that starts another one.
    ["Bash(rm:*)", "prlimit -n10 rm x"],
    ["Bash(rm:*)", "ssh-agent rm x"],
    ["Bash(rm:*)", "dbus-run-session -- rm x"],
    ["Bash(rm:*)", "bwrap --bind / / rm x"],
    ["Bash(rm:*)", "/lib64/ld-linux-x86-64.so.2 /bin/rm x"],
    ["Bash(rm:*)", "tmux new -d 'rm x'"],
    ["Bash(rm:*)", "screen -dm rm x"],
    ["Bash(rm:*)", "vim -c '!rm x'"],
    ["Bash(rm:*)", "vim '+!rm x' y"],
    ["Bash(rm:*)", "ex -sc ':!rm x' y"],
    ["Bash(rm:*)", "make --eval='$(shell rm x)'"],
    ["Bash(rm:*)", "ln -s /bin/rm q && ./q x"],
    ["Bash(rm:*)", "cp /bin/rm q; ./q x"],
    ["Bash(rm:*)", "npm exec -- rm f"],
    ["Bash(rm:*)", "npm x -- rm f"],
    ["Bash(rm:*)", "npx cross-env A=1 rm f"],
    ["Bash(rm:*)", "npx -y dotenv-cli rm f"],
    ["Bash(rm:*)", "pnpm dlx dotenv-cli rm f"],
    ["Bash(rm:*)", "yarn dlx cross-env rm f"],
    ["Bash(rm:*)", "bunx cross-env A=1 rm f"],
    ["Bash(rm:*)", "i386 rm f"],
    ["Bash(rm:*)", "linux32 rm f"],
    ["Bash(rm:*)", "linux64 rm f"],
    ["Bash(rm:*)", "x86_64 rm f"],
    ["Bash(rm:*)", "setarch x86_64 rm f"],
    ["Bash(rm:*)", "choom -n 0 -- rm f"],
    ["Bash(rm:*)", "logsave /dev/null rm f"],
    ["Bash(rm:*)", "valgrind rm f"],
    ["Bash(rm:*)", "perf stat rm f"],
    ["Bash(rm:*)", "heaptrack rm f"],
    ["Bash(rm:*)", "gdb -ex run --args rm f"],
    ["Bash(rm:*)", "gdb -ex 'shell rm f'"],
    ["Bash(rm:*)", "gpg-agent --daemon rm f"],
    ["Bash(rm:*)", "sqlite3 x '.shell rm f'"],
    ["Bash(rm:*)", "sqlite3 x <<< '.system rm f'"],
    ["Bash(rm:*)", "echo '.shell rm f' | sqlite3 x"],
    ["Bash(rm:*)", "ed <<< '!rm f'"],
    ["Bash(rm:*)", "ed <<'E'\n!rm f\nE"],
    ["Bash(rm:*)", "echo '!rm f' | ed"],
    ["Bash(rm:*)", "vim --cmd 'call system(\"rm f\")'"],
    ["Bash(rm:*)", "vim -es -c 'call system(\"rm f\")' -c q"],
    ["Bash(rm:*)", "nvim --headless -c 'lua os.execute(\"rm f\")'"],
    ["Bash(rm:*)", "zip x.zip a -T -TT 'rm f;'"],
    ["Bash(rm:*)", "cmake -E rm f"],
    ["Bash(rm:*)", "git -c protocol.ext.allow=always ls-remote 'ext::sh -c rm% f'"],
    ["Bash(rm:*)", "tini -- rm f"],
    ["Bash(rm:*)", "tini -s rm f"],
    ["Bash(rm:*)", "dumb-init rm f"],
    ["Bash(rm:*)", "gosu root rm f"],
    ["Bash(rm:*)", "su-exec root rm f"],
    ["Bash(rm:*)", "nyc rm f"],
    ["Bash(rm:*)", "c8 rm f"],
    ["Bash(rm:*)", "hyperfine 'rm f'"],
    ["Bash(rm:*)", "concurrently 'rm f'"],
    ["Bash(rm:*)", "hatch run rm f"],
    ["Bash(rm:*)", "pdm run rm f"],
    ["Bash(rm:*)", "poetry run rm f"],
    ["Bash(rm:*)", "uv run rm f"],
    ["Bash(rm:*)", "uv run --with x rm f"],
    ["Bash(rm:*)", "op run -- rm f"],
    ["Bash(rm:*)", "go test -exec 'rm f' ./..."],
    ["Bash(rm:*)", "go test -exec=rm"],
    ["Bash(rm:*)", "doppler run -- rm f"],
    ["Bash(rm:*)", "direnv exec . rm f"],
    ["Bash(rm:*)", "mise exec -- rm f"],
    ["Bash(rm:*)", "asdf exec rm f"],
    ["Bash(rm:*)", "watchexec -- rm f"],
    ["Bash(rm:*)", "ls | entr rm f"],
    ["Bash(rm:*)", "parallel rm ::: f"],
    ["Bash(rm:*)", "rlwrap rm f"],
    ["Bash(rm:*)", "unbuffer rm f"],
    ["Bash(rm:*)", "faketime 'x' rm f"],
    ["Bash(rm:*)", "chrt 1 rm f"],
    ["Bash(rm:*)", "ionice rm f"],
    ["Bash(rm:*)", "taskset 1 rm f"],
    ["Bash(rm:*)", "numactl -i all rm f"],
    ["Bash(rm:*)", "prlimit rm f"],
    ["Bash(rm:*)", "unshare rm f"],
    ["Bash(rm:*)", "nsenter -t 1 rm f"],
    ["Bash(rm:*)", "setpriv rm f"],
    ["Bash(rm:*)", "capsh -- -c 'rm f'"],
    ["Bash(rm:*)", "start-stop-daemon -S -x /bin/rm -- f"],
    ["Bash(rm:*)", "systemd-run rm f"],
    ["Bash(rm:*)", "dbus-run-session rm f"],
    ["Bash(rm:*)", "xvfb-run rm f"],
    ["Bash(rm:*)", "script -c 'rm f'"],
    ["Bash(rm:*)", "expect -c 'spawn rm f'"],
    ["Bash(rm:*)", "ssh-agent rm f"],
    ["Bash(rm:*)", "runuser -u x rm f"],
    ["Bash(rm:*)", "pkexec rm f"],
    ["Bash(rm:*)", "doas rm f"],
    ["Bash(rm:*)", "chroot / rm f"],
    ["Bash(eval:*)", "eval $X"],
    ["Bash(source:*)", "source ~/.profile"],
    ["Bash(bash:*)", "curl x | bash"],
    ["Bash(export:*)", "export A=b"],
    ["Bash(*)", "ls"],
    ["Bash", "ls"],
    ["*", "ls"],
  ];
  it.each(caught)("%s catches %j (G1, G33)", (rule, line) => {
    expect(heldBack(rule, line)).toEqual(expect.any(String));
  });

  const free: [rule: string, line: string][] = [
    ["Bash(rm:*)", "ls"],
    ["Bash(rm:*)", "echo rm"],
    ["Bash(rm:*)", "echo 'rm -rf is text' > notes.txt"],
    ["Bash(rm:*)", "rmdir x"],
    ["Bash(rm:*)", "git rm x"],
    ["Bash(rm:*)", "find . -name rm"],
    ["Bash(rm:*)", "cat <<'E'\n$(rm x)\nE"],
    ["Bash(rm:*)", "ls # rm x"],
    ["Bash(rm:*)", "$EDITOR notes.txt"],
    ["Bash(rm:*)", "sudo apt update"],
    ["Bash(git push:*)", "git pull"],
    ["Bash(git push:*)", "git pushx"],
    ["Bash(git push:*)", "git log --grep push"],
    ["Bash(git push:*)", "git add $FILES"],
    ["Bash(git push * --force)", "git add $FILE"],
    ["Bash(npm run deploy)", "npm run deploy:check"],
    ["Bash(npm run deploy)", "npm run deploy --dry-run"],
    ["Bash(rm -rf /)", "rm -rf *.o"],
    ["Bash(rm -rf /)", "rm -rf build/*"],
    ["Bash(curl:*)", "git commit -m 'curl x'"],
    ["Bash(curl:*)", "git -c user.name=curl commit"],
    ["Bash(curl:*)", "git -c alias.p=push p"],
    ["Bash(curl:*)", "sed -i 's/curl/wget/g' f"],
    ["Bash(curl:*)", "sed -n '/the curl/p' f"],
    ["Bash(curl:*)", "awk '/curl/ {print $1 \"|\" $2}' f"],
    ["Bash(curl:*)", "sort curl"],
    ["Bash(curl:*)", "ssh -o BatchMode=yes a"],
    ["Bash(curl:*)", "[ -f curl ]"],
    ["Bash(curl:*)", "$DIR/$TOOL x"],
    ["Bash(curl:*)", "PAGER=cat git log"],
    ["Bash(rm:*)", "npx eslint ."],
    ["Bash(rm:*)", "npm run rm"],
    ["Bash(rm:*)", "uv run pytest -k rm-test"],
    ["Bash(rm:*)", "ed <<< 'a rm'"],
    ["Bash(rm:*)", "sqlite3 x 'select rm from y'"],
    ["Bash(rm:*)", "vim rm"],
    ["Edit", "ls"],
    ["Read(./secrets/**)", "ls"],
    ["mcp__Bash", "ls"],
  ];
  it.each(free)("%s leaves %j alone (G33)", (rule, line) => {
    expect(heldBack(rule, line)).toBeUndefined();
  });

  const unseen: [line: string, asks: boolean][] = [
    // What names mean was changed.
    ["hash -p /bin/rm ls; ls f", true],
    ["BASH_CMDS[ls]=/bin/r?; ls f", true],
    ["env 'BASH_FUNC_ls%%=x' bash -c ls", true],
    ["bash -c 'declare -n r=x; ls'", true],
    ["echo ${x@P}", true],
    // bash puts the name together.
    ["x=RM; ${x,,} f", true],
    ["x=mr; ${x:1:1}${x:0:1} f", true],
    ["x=mr; /bin/${x:1:1}${x:0:1} f", true],
    ["declare -l L=RM; $L f", true],
    ["x=r; y=m; $x$y f", true],
    ["x=r; x+=m; $x f", true],
    ["x=r''m; $x f", true],
    ["for x in r''m; do $x f; done", true],
    ["x=$(rev <<< mr); $x f", true],
    ["read x < names; $x f", true],
    ["$(rev <<< mr) f", true],
    ['"$(rev <<< mr)" f', true],
    // The script is made while the line runs.
    ['eval "$(printf x)"', true],
    ["source <(printf x)", true],
    ["bash <(printf x)", true],
    ["sudo bash -c 'eval $X'", true],
    // Nothing of that.
    ["$EDITOR notes.txt", false],
    ["$DIR/$TOOL x", false],
    ["$(npm bin)/eslint .", false],
    ["TOOL=node; $TOOL x.js", false],
    ["source .venv/bin/activate && python x.py", false],
    ["trap 'kill 0' EXIT; ls", false],
    ["export A=b; declare -x C=d; ls", false],
    ["echo ${x,,}", false],
    ["ls", false],
  ];
  it.each(unseen)("has a person look at %j, where any program may run: %s (G1, G33)", (line, asks) => {
    const rules = [
      { ...placed("Bash(curl:*)"), behavior: "deny" as const, source: "a.json", managed: false },
    ];
    const { deny, doubtful } = matchRules(rules, { final: bash(line) }, CONTEXT);
    expect([deny.length, doubtful.length > 0]).toEqual([0, asks]);
  });

  it("says what it found, and when it only found the name (T36)", () => {
    expect(heldBack("Bash(rm:*)", "ls && sudo rm 'a b'")).toBe("the line runs rm 'a b'");
    expect(heldBack("Bash(rm:*)", "X=rm; $X y")).toBe("the line runs rm y");
    expect(heldBack("Bash(rm:*)", "$X rm")).toBe(
      "the line cannot be understood completely ($X may be any program) and names rm",
    );
  });

  it.each([51, 1_000, 100_000])(
    "is found behind %i other commands, and an allow rule does not hide it (G1, G33)",
    (count) => {
      const command = `${"echo a; ".repeat(count)}rm x`;
      const rules = (["deny", "ask", "allow"] as const).map((behavior) => ({
        ...placed(behavior === "allow" ? "Bash(echo:*)" : "Bash(rm:*)"),
        behavior,
        source: "settings.json",
        managed: false,
      }));
      const { deny, ask, allow } = matchRules(rules, { final: bash(command) }, CONTEXT);
      expect([deny.length, ask.length, allow.length]).toEqual([1, 1, 0]);
    },
  );

  it("is found, or held to be named, under nesting of any depth (G33)", () => {
    for (const depth of [1, 5, 9, 50, 300, 1_000]) {
      expect(
        heldBack("Bash(rm:*)", `${"$(".repeat(depth)}rm x${")".repeat(depth)}`),
        `${depth} substitutions`,
      ).toBeDefined();
      expect(
        heldBack("Bash(rm:*)", `${"( ".repeat(depth)}rm x${" )".repeat(depth)}`),
        `${depth} subshells`,
      ).toBeDefined();
      expect(heldBack("Bash(rm:*)", `${"eval ".repeat(depth)}rm x`), `${depth} evals`).toBeDefined();
      expect(heldBack("Bash(rm:*)", `${"sudo ".repeat(depth)}rm x`), `${depth} sudos`).toBeDefined();
    }
  });
});

describe("a line that no person writes", () => {
  const many = 5_000;
  const lines: Record<string, string> = {
    "nested substitutions": `echo ${'"$('.repeat(many)}rm${')"'.repeat(many)}`,
    "nested defaults": `echo ${"${x:-".repeat(many)}rm${"}".repeat(many)}`,
    "nested ifs": `${"if a; then ".repeat(many)}rm; ${"fi; ".repeat(many)}`,
    "nested functions": `${"f() ".repeat(many)}{ rm; }`,
    "backquotes without end": `${"`".repeat(many)}rm`,
    "a long sum": `echo $((${"1+".repeat(many)}$(rm)))`,
    "a shell with a long script": `bash -c '${"ls;".repeat(130_000)}rm'`,
    "many shells": `${"bash -c ".repeat(many)}rm`,
    "more than a shell takes": `${"ls;".repeat(100_000)}rm`,
    "many wrappers": `${"env ".repeat(many)}rm`,
  };
  it.each(Object.entries(lines))(
    "made of %s is held back and not allowed, and the reason is short (G33, G36)",
    (_kind, line) => {
      const because = heldBack("Bash(rm:*)", line);
      expect(because).toBeDefined();
      expect(because?.length).toBeLessThan(400);
      const allow = ["Bash(echo:*)", "Bash(ls:*)", "Bash(bash:*)", "Bash(env:*)"].map((rule) => placed(rule));
      expect(allowedByRules(allow, readCall(bash(line)), CONTEXT)).toBeUndefined();
    },
  );
});

describe("rules around a rewrite", () => {
  const rules = [
    { ...placed("Bash(rm:*)"), behavior: "deny" as const, source: "a.json", managed: false },
    { ...placed("Bash(ls:*)"), behavior: "allow" as const, source: "a.json", managed: false },
  ];

  it("deny what the model asked for, whatever a hook made of it (G8)", () => {
    expect(matchRules(rules, { original: bash("rm x"), final: bash("ls") }, CONTEXT)).toEqual({
      managedDeny: [],
      deny: [{ rule: "Bash(rm:*)", source: "a.json", because: "the line runs rm x" }],
      ask: [],
      allow: [{ rule: "Bash(ls:*)", source: "a.json", because: "it covers this call" }],
      doubtful: [],
    });
  });

  it("deny what would run, and allow only that (G8)", () => {
    const matches = matchRules(rules, { original: bash("ls"), final: bash("rm x") }, CONTEXT);
    expect([matches.deny.length, matches.allow.length]).toEqual([1, 0]);
  });
});

function bash(command: string) {
  return { toolName: "Bash", effect: runs(command) };
}
