import { readdirSync, readFileSync } from "node:fs";

/** What is started gets this variable, and so does everything it starts, however it hides from its process group. */
export const RUN_ID_VARIABLE = "WAVE_RUN_ID";

/**
 * A process that Wave started and everything that came of it: its process group, every process that carries the run id
 * in its environment (also after `setsid` or a double fork), and what is related to one of them (also with an emptied
 * environment). Without /proc only the process group can be reached.
 */
export class ProcessTree {
  readonly #leader: number | undefined;
  readonly #runId: string;
  readonly #sparesLeader: boolean;
  /** Members seen so far and when they started: an orphan shows no more whose child it was, and a pid can be reused. */
  readonly #seen = new Map<number, string>();

  /**
   * `leader` leads its own process group, as far as somebody knows it; `runId` is the unique part of its RUN_ID_VARIABLE. A
   * leader that would take all others along is spared by SIGTERM.
   */
  constructor(leader: number | undefined, runId: string, { sparesLeader }: { sparesLeader: boolean }) {
    this.#leader = leader;
    this.#runId = runId;
    this.#sparesLeader = sparesLeader;
  }

  isGone(): boolean {
    // Two looks: a process that is being replaced by its child can slip through one, between the list and its entry.
    return this.#visit(() => {}) === 0 && this.#visit(() => {}) === 0;
  }

  /** Sends a signal to every member, and returns how many there were. One that is already gone is not an error. */
  signal(signal: "SIGTERM" | "SIGKILL"): number {
    // The related ones are found before the first signal is sent: afterwards they may be orphans.
    if (this.#sparesLeader && signal === "SIGTERM") {
      return this.#visit((pid) => {
        if (pid !== this.#leader) send(pid, signal);
      });
    }
    const found = this.#visit((pid) => send(pid, signal));
    if (this.#leader !== undefined) send(-this.#leader, signal);
    return found;
  }

  /**
   * Calls back for each living member as soon as it is found, the newest first: one that keeps replacing itself by a
   * new process lives only for a moment.
   */
  #visit(meet: (pid: number) => void): number {
    const table = processTable();
    const members = new Set<number>();
    const add = (entry: ProcessEntry) => {
      if (members.has(entry.pid)) return;
      members.add(entry.pid);
      this.#seen.set(entry.pid, entry.startedAt);
      meet(entry.pid);
    };
    const known = table.filter(
      (entry) => entry.group === this.#leader || this.#seen.get(entry.pid) === entry.startedAt,
    );
    const related = withRelations(known, table);
    for (const entry of table) if (related.has(entry) || carriesRunId(entry.pid, this.#runId)) add(entry);
    const found = table.filter((entry) => members.has(entry.pid));
    for (const entry of withRelations(found, table)) add(entry);
    return members.size;
  }
}

interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** In ticks since the machine started. */
  startedAt: string;
}

/** The given processes with their children, and the groups and sessions they lead, and so on. */
function withRelations(members: readonly ProcessEntry[], table: readonly ProcessEntry[]): Set<ProcessEntry> {
  const related = new Set(members);
  const pids = new Set(members.map((entry) => entry.pid));
  for (let before = -1; before !== related.size;) {
    before = related.size;
    for (const entry of table) {
      if (!pids.has(entry.parent) && !pids.has(entry.group) && !pids.has(entry.session)) continue;
      related.add(entry);
      pids.add(entry.pid);
    }
  }
  return related;
}

/** The living processes that can be seen, the newest first. */
function processTable(): ProcessEntry[] {
  return listProc()
    .toReversed()
    .flatMap((name) => {
      const stat = readProc(name, "stat");
      if (stat === undefined) return [];
      // The program's name stands in brackets and may itself hold spaces and brackets: read on after the last one.
      const fields = stat.toString("latin1", stat.lastIndexOf(")") + 2).split(" ");
      const [state, parent, group, session] = fields;
      if (state === "Z" || state === "X") return [];
      const numbers = {
        pid: Number(name),
        parent: Number(parent),
        group: Number(group),
        session: Number(session),
      };
      return [{ ...numbers, startedAt: fields[19] ?? "" }];
    });
}

function carriesRunId(pid: number, runId: string): boolean {
  return readProc(String(pid), "environ")?.includes(runId) ?? false;
}

function listProc(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    // No /proc on this system.
    return [];
  }
}

function readProc(pid: string, file: "stat" | "environ"): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    // It ended since the folder was listed, or it belongs to another user.
    return undefined;
  }
}

function send(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it is gone already. EPERM: it changed its user, and Wave may not touch it any more.
  }
}
