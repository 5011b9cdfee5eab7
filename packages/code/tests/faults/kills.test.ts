import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { leftOver, processesWith } from "../terminal/support/processes.ts";
import type { ProgramEnd, TerminalRun } from "../terminal/support/terminal.ts";
import { look, Person, type Sight } from "./killPerson.ts";
import { KillStage } from "./killStage.ts";

const SOAK = process.env["WAVE_SOAK"] !== undefined;
const KILLS = Number(process.env["WAVE_KILLS"] ?? (SOAK ? 500 : 6));
/** In one project and home, so that what one leaves could hurt the next. */
const PER_STAGE = SOAK ? 25 : 3;
const AT_ONCE = 2;
const LONGEST_MS = SOAK ? 6_000 : 3_000;
/** Of a streaming answer at most the last second is lost. */
const BEHIND_MS = 1_000;

/** What was on the screen at a time. */
interface Seen extends Sight {
  at: number;
}

/** Plays until the moment comes, kills, and returns what a person saw last. */
async function playAndKill(
  { wave, mark }: { wave: TerminalRun; mark: string },
  person: Person,
  afterMs: number,
): Promise<{ sight: Sight; seen: Seen[]; killedAt: number; left: string[] }> {
  const seen: Seen[] = [];
  let killedAt: number | undefined;
  const watching = (async () => {
    while (killedAt === undefined) {
      seen.push({ at: performance.now(), ...look(wave) });
      await sleep(40);
    }
  })();
  let end: ProgramEnd | undefined;
  void wave.exit.then((ended) => (end = ended));
  const killing = sleep(afterMs).then(() => {
    killedAt = performance.now();
    if (end) throw new Error(`Wave ended by itself (${JSON.stringify(end)}):\n${wave.text()}`);
    process.kill(wave.pid, "SIGKILL");
  });
  await Promise.all([killing, watching, person.act(() => killedAt !== undefined)]);
  await wave.exit;
  return { sight: look(wave), seen, killedAt: killedAt ?? 0, left: processesWith(mark) };
}

/** What was lost, in words; empty when nothing was. */
async function lostOf(
  stage: KillStage,
  { sight, seen, killedAt }: { sight: Sight; seen: Seen[]; killedAt: number },
): Promise<string[]> {
  const kept = Object.values(stage.kept()).join("\n");
  const blocked = stage.blocked();
  const said = await stage.said();
  const before = seen.findLast(({ at }) => at <= killedAt - BEHIND_MS)?.words ?? new Map<string, number>();
  return [
    ...sight.said
      .filter((token) => !kept.includes(token) && !blocked.includes(token))
      .map((token) => `the prompt ${token}`),
    ...sight.waiting.filter((token) => !kept.includes(token)).map((token) => `${token}, which waited`),
    ...[...before]
      .filter(([token, word]) => !said.includes(`${token}.${word}`))
      .map(([token, word]) => `word ${word} of ${token}, seen more than a second before`),
  ];
}

async function until(isSo: () => boolean, limitMs = 20_000): Promise<void> {
  const giveUpAt = performance.now() + limitMs;
  while (!isSo() && performance.now() < giveUpAt) await sleep(25);
}

/** Its header stands above the input when the session is there, and what was found of an earlier one with it. */
const isOpen = (wave: TerminalRun) => /≋ Wave [^]*╰─/.test(wave.text());

interface Killed {
  sight: Sight;
  seen: Seen[];
  /** Typed before this run. */
  isOlder: (token: string) => boolean;
}

/** What is wrong after the next start; empty when nothing is. */
async function wrongAfter(
  stage: KillStage,
  { sight, seen, isOlder, mark, next }: Killed & { mark: string; next: TerminalRun },
): Promise<string[]> {
  await next.waitUntil(() => isOpen(next), { what: "the session", timeoutMs: 60_000 });
  const { history } = stage.kept();
  const said = await stage.said();
  const sent = [...new Set([...sight.said, ...sight.waiting])];
  const [settled, blocked] = [`${said}${history}`, stage.blocked()];
  // Also what came back with other texts, was sent again with them, and was refused.
  const isSaid = (token: string) =>
    settled.includes(token) || (blocked.includes(token) && !sight.waiting.includes(token));
  // Of a long input only its last rows are drawn; what is above them is in the file of drafts.
  const isOffered = (token: string, { input, hasMore } = look(next)) =>
    input.includes(token) || (hasMore && stage.kept().drafts.includes(token));
  await until(() => sent.every((token) => isSaid(token) || isOffered(token)), 5_000);
  // What a no, an interrupt or the history gave back may have been sent once more: then it waits, or is in the input again.
  const cameBack = (token: string) => {
    const sentAt = seen.findIndex((one) => one.said.includes(token));
    return (
      isOlder(token) ||
      [...seen.slice(sentAt), sight].some(({ input, waiting }) => [...input, ...waiting].includes(token))
    );
  };
  // What it left running is ended by the start, and the locks a moment after it.
  const left = await leftOver(mark);
  const living = () => stage.leftovers().filter((file) => !file.endsWith(ownLock(stage, next)));
  await until(() => living().length === 0, 10_000);
  return [
    ...sent.filter((token) => !isSaid(token) && !isOffered(token)).map((token) => `${token} is not offered`),
    ...look(next)
      .input.filter((token) => said.includes(token) && !cameBack(token))
      .map((token) => `${token} is offered, and was processed`),
    ...left.map((process) => `still runs: ${process}`),
    ...living().map((file) => `still there: ${file}`),
    ...stage.halfWritten().map((file) => `half written: ${file}`),
    ...stage.ranTwice().map((token) => `ran twice: ${token}`),
  ];
}

/** The session that is open now has one; it is the newest. */
function ownLock(stage: KillStage, next: TerminalRun): string {
  const locks = stage.leftovers().filter((file) => file.endsWith(".lock"));
  return locks.find((file) => stage.holderOf(file) === next.pid) ?? "no lock";
}

describe("kill -9 of Wave on a terminal", () => {
  it(
    `at ${KILLS} random moments loses nothing that is shown as sent, of an answer at most the last second, and leaves nothing behind after the next start (T163, T166, T192, G48)`,
    { timeout: 7_200_000 },
    async () => {
      const seed = Number(process.env["WAVE_SEED"] ?? Date.now() % 1_000_000);
      process.stderr.write(`kills: seed ${seed} (WAVE_SEED repeats it)\n`);
      const random = seeded(seed);
      const stages = Array.from({ length: Math.ceil(KILLS / PER_STAGE) }, () => seeded(random() * 2 ** 31));
      const problems: string[] = [];
      const moments = new Map<string, number>();
      let kills = 0;
      const worker = async () => {
        for (let dice = stages.pop(); dice; dice = stages.pop()) {
          await playStage(dice, PER_STAGE, (kinds, wrong) => {
            kills++;
            for (const kind of kinds) moments.set(kind, (moments.get(kind) ?? 0) + 1);
            problems.push(...wrong);
            if (SOAK && (kills % 25 === 0 || wrong.length > 0))
              process.stderr.write(
                `kills: ${kills}, ${JSON.stringify(Object.fromEntries(moments))} ${wrong.join("; ")}\n`,
              );
          });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      process.stderr.write(`kills: ${kills} ${JSON.stringify(Object.fromEntries(moments))}\n`);
      expect(problems).toEqual([]);
      expect(kills).toBeGreaterThanOrEqual(KILLS);
    },
  );
});

async function playStage(
  random: () => number,
  count: number,
  onKill: (kinds: string[], wrong: string[]) => void,
): Promise<void> {
  await using stage = await KillStage.open();
  let tokens = 0;
  const newToken = () => `q${++tokens}q`;
  let current = stage.start([]);
  try {
    await current.wave.waitUntil(() => isOpen(current.wave), { what: "the session", timeoutMs: 60_000 });
    for (let kill = 1; kill <= count; kill++) {
      const { wave, mark } = current;
      const person = new Person(wave, random, newToken);
      const before = tokens;
      const isOlder = (token: string) => Number(token.slice(1, -1)) <= before;
      const played = await playAndKill(current, person, 100 + random() * LONGEST_MS);
      const lost = await lostOf(stage, played);
      current = stage.start(random() < 0.5 ? ["--continue"] : []);
      const { sight, seen } = played;
      const wrong = await wrongAfter(stage, { sight, seen, isOlder, mark, next: current.wave });
      const what = [...lost.map((one) => `lost ${one}`), ...wrong];
      const background = played.left.some((process) => process.includes("sleep 300"));
      onKill(
        [sight.doing, ...(background ? ["with a background command"] : [])],
        what.length === 0 ? [] : [describeKill(kill, what, wave, current.wave)],
      );
      // What was offered is declined: the next round is about what it sends itself.
      if (look(current.wave).input.length > 0) {
        await current.wave.press("ctrl-c");
        await current.wave.waitForText("Ask, or / for commands");
      }
    }
  } finally {
    await current.wave[Symbol.asyncDispose]();
  }
}

const describeKill = (kill: number, what: string[], killed: TerminalRun, next: TerminalRun) =>
  [
    `kill ${kill}: ${what.join("; ")}`,
    "--- killed:",
    ...killed.text().split("\n").slice(-40),
    "--- next:",
    ...next.text().split("\n").slice(-40),
  ].join("\n");

/** Mulberry32: small, and the same on every machine. */
function seeded(seed: number): () => number {
  let state = Math.trunc(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
