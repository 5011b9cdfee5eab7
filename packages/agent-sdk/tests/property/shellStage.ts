import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { mapAtMost } from "@/utils/atMost.ts";
import { PROTECTED_FILE, STUBS, WRAPPERS } from "./shellLines.ts";

/** What a line really did. */
export interface Effects {
  /** The programs that it started, by their names, also those that are not there. */
  started: string[];
  /** The files that are there afterwards, with what is in them, where they are not what they were before. */
  files: string | undefined;
  /** It went round and round: what it did until then counts. */
  cutOff: boolean;
}

/** A place in which command lines are run for real, and in which nothing but stubs can be started. */
export interface Stage {
  bin: string;
  run(lines: readonly string[]): Promise<Effects[]>;
}

/** So many lines share one bash, each in a shell forked from it: starting bash costs more than most lines do. */
const IN_ONE_BASH = 250;
/** Nothing in the lines waits for anything: one that takes so long is a loop without an end, and has shown what it does. */
const LONGEST = 20_000;

const bash = ["/bin/bash", "/usr/bin/bash"].find((path) => existsSync(path)) ?? "/bin/sh";

/** What the lines find, and must leave as it is. */
const FILES = [PROTECTED_FILE, "b.txt", "in.txt"];

/**
 * Runs the lines that it finds in a file, each in a shell of its own, and tells which of them changed a file. Only builtins and the
 * stubs are at hand, and the stubs are functions where bash lets them be: starting a program costs more than all the rest.
 */
const RUNNER = `
export PATH=$STAGE/bin
mapfile -d '' -t _lines < "$STAGE_PLACE.lines"
log() { builtin printf '%s %s\\0' "$LINE_NUMBER" "$1" >> "$STAGE_PLACE.log"; }
command_not_found_handle() { log "$1"; builtin return 127; }
for _name in ${STUBS.join(" ")}; do builtin eval "$_name() { log $_name; }"; done
tee() { log tee; for _name; do : > "$_name"; done; }
_prepare() {
  /bin/rm -rf "$STAGE_PLACE"; /bin/mkdir "$STAGE_PLACE"; builtin cd "$STAGE_PLACE"
  for _name in ${FILES.join(" ")}; do builtin printf '%s\\n' kept > "$_name"; done
  /bin/cp "$STAGE/local" local
}
_look() {
  _state=
  builtin shopt -s dotglob nullglob
  for _name in *; do
    _text=
    [[ -f $_name && $_name != local ]] && IFS= builtin read -r -d '' _text < "$_name"
    _state+="$_name=$_text;"
  done
  builtin shopt -u dotglob nullglob
}
# A coprocess ends when nobody writes to it any more.
_close() { [[ -z \${COPROC_PID-}\${P_PID-} ]] || for _name in {10..70}; do builtin eval "exec $_name>&-"; done; }
_prepare; _look; _clean=$_state
for _number in "\${!_lines[@]}"; do
  export LINE_NUMBER=$_number
  builtin printf '%s' "$_number" > "$STAGE_PLACE.at"
  # A loop that would go on for ever is cut off. It is over when nobody holds the other end any more, also nobody in the background.
  _end=$(exec 9>&1 < /dev/null > /dev/null 2>&1 3>&1
    builtin ulimit -t 1
    builtin eval "\${_lines[_number]}"; _close; builtin wait)
  _look
  if [[ $_state != "$_clean" ]]; then builtin printf '%s %s\\0' "$_number" "$_state" >&3; _prepare; fi
done
`;

export function buildStage(root: string): Stage {
  const bin = join(root, "bin");
  mkdirSync(bin);
  const stub = (path: string, rest = "") => {
    writeFileSync(
      path,
      `#!/bin/sh\nprintf '%s %s\\0' "$LINE_NUMBER" "\${0##*/}" >> "$STAGE_PLACE.log"\n${rest}`,
    );
    chmodSync(path, 0o755);
  };
  for (const name of [...STUBS, "../local"]) stub(join(bin, name));
  stub(join(bin, "tee"), 'for file; do : > "$file"; done\n');
  for (const name of WRAPPERS) {
    const real = ["/usr/bin", "/bin"].map((place) => join(place, name)).find((path) => existsSync(path));
    stub(join(bin, name), real === undefined ? "" : `exec ${real} "$@"\n`);
  }
  stub(join(bin, "bash"), `exec ${bash} "$@"\n`);
  writeFileSync(join(root, "runner"), RUNNER);
  let batches = 0;
  return {
    bin,
    async run(lines) {
      const starts = Array.from(
        { length: Math.ceil(lines.length / IN_ONE_BASH) },
        (_, at) => at * IN_ONE_BASH,
      );
      const effects = await mapAtMost(2, starts, (at) =>
        runBatch(root, lines.slice(at, at + IN_ONE_BASH), join(root, `place${batches++}`)),
      );
      return effects.flat();
    },
  };
}

async function runBatch(root: string, lines: readonly string[], place: string): Promise<Effects[]> {
  const effects: Effects[] = [];
  // After a line that had to be cut off the rest gets a bash and a place of its own.
  for (let part = 0; effects.length < lines.length; part++)
    effects.push(...(await runUntilCut(root, lines.slice(effects.length), `${place}.${part}`)));
  return effects;
}

/** What these lines did, or those up to the first that did not end. */
async function runUntilCut(root: string, lines: readonly string[], place: string): Promise<Effects[]> {
  writeFileSync(`${place}.lines`, lines.map((line) => `${line}\0`).join(""));
  writeFileSync(`${place}.log`, "");
  writeFileSync(`${place}.at`, "");
  const env = { STAGE: root, STAGE_PLACE: place, HOME: root };
  const { changed, cutAt } = await ended(join(root, "runner"), env, () =>
    readFileSync(`${place}.at`, "utf8"),
  );
  const run = cutAt === undefined ? lines : lines.slice(0, cutAt + 1);
  const effects: Effects[] = run.map((_, at) => ({ started: [], files: undefined, cutOff: at === cutAt }));
  const of = (text: string) => {
    const [number = "", rest = ""] = /^(\d*) (.*)$/s.exec(text)?.slice(1) ?? [];
    const one = effects[Number(number)];
    if (!one || number === "") throw new Error(`nobody knows which line did this: ${text}`);
    return { one, rest };
  };
  const started = readFileSync(`${place}.log`, "utf8").split("\0");
  for (const entry of started.filter((text) => text !== "")) {
    const { one, rest } = of(entry);
    if (!one.started.includes(rest)) one.started.push(rest);
  }
  for (const entry of changed.split("\0").filter((text) => text !== "")) {
    const { one, rest } = of(entry);
    one.files = rest;
  }
  const last = effects.at(-1);
  if (last?.cutOff) last.files = changedIn(place);
  for (const path of [place, `${place}.lines`, `${place}.log`, `${place}.at`])
    rmSync(path, { recursive: true, force: true });
  return effects;
}

/** As the runner tells it, for a line at whose end it could not look. */
function changedIn(place: string): string | undefined {
  const stateOf = (name: string) => {
    const path = join(place, name);
    return `${name}=${name !== "local" && statSync(path).isFile() ? readFileSync(path, "utf8") : ""};`;
  };
  const clean = [...FILES.map((name) => `${name}=kept\n;`), "local=;"];
  const state = readdirSync(place).map(stateOf);
  return state.toSorted().join("") === clean.toSorted().join("") ? undefined : state.join("");
}

/** What the runner says, when none of the processes that came from it is left, and the line at which it went no further. */
function ended(
  runner: string,
  env: Record<string, string>,
  lineNow: () => string,
): Promise<{ changed: string; cutAt?: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(bash, ["--norc", runner], {
      env,
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      detached: true,
    });
    let changed = "";
    child.stdio[3]?.on("data", (data: Buffer) => (changed += data.toString()));
    let seen = { line: "", at: performance.now() };
    let cutAt: number | undefined;
    const watch = setInterval(() => {
      const line = lineNow();
      if (line !== seen.line) seen = { line, at: performance.now() };
      else if (line !== "" && performance.now() - seen.at > LONGEST) {
        cutAt = Number(line);
        process.kill(-(child.pid ?? 0), "SIGKILL");
        clearInterval(watch);
      }
    }, 500);
    child.on("error", reject);
    child.on("close", () => {
      clearInterval(watch);
      resolve({ changed, ...(cutAt === undefined ? {} : { cutAt }) });
    });
  });
}
