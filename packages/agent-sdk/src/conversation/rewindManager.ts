import { rm } from "node:fs/promises";
import type { Checkpoints } from "../messages/checkpoints.ts";
import {
  stepsBack,
  takeBack,
  type FileChange,
  type FileVersion,
  type TakenBack,
} from "../messages/fileChanges.ts";
import { firstLineOf, promptText } from "../messages/promptText.ts";
import type { FileCopies } from "../session/file/fileCopies.ts";
import type { RunRegister } from "../process/runRegister.ts";
import { readDiskFile, type DiskFile } from "../tools/diskFile.ts";
import type { FileMemory } from "../tools/fileMemory.ts";
import { explainFailure } from "../tools/explainFailure.ts";
import { decode, saveBytes } from "../tools/textFiles.ts";
import { sha256 } from "../utils/sha256.ts";
import type { ContextGauge } from "./contextGauge.ts";
import type { MessageManager } from "../managers/messageManager.ts";
import type { SessionLog } from "../session/sessionLog.ts";

/** A prompt one can go back to. */
export interface RewindPoint {
  messageId: string;
  firstLine: string;
  /** When it was said, in ISO 8601; undefined when its line in the session file is damaged. */
  at: string | undefined;
  /** How many files Wave changed since. */
  filesChanged: number;
}

/** What a rewind did, or would do, to one file that Wave changed. */
export type RewoundFile =
  /** It is what it was then. */
  | { path: string; outcome: "restored" }
  /** It is what it was then, with what somebody else changed since. */
  | { path: string; outcome: "merged" }
  /** It was not there then. */
  | { path: string; outcome: "removed" }
  | { path: string; outcome: "kept"; why: string };

export interface Rewound {
  /** The text of the prompt, for the input. */
  prompt: string;
  /** How many messages are gone from the conversation, or are there again. */
  messages: number;
  files: RewoundFile[];
  /** What was not undone, in words; undefined when that is nothing. */
  note: string | undefined;
}

const COMMANDS_RAN =
  "Shell commands ran since then. What they changed is not recorded, so it is not undone: look at `git status`.";

/** One file and what taking back comes to. */
interface Plan {
  path: string;
  disk: DiskFile;
  taken: TakenBack;
}

/**
 * Goes back to an earlier prompt. Nothing is rewritten: the conversation gets one edit, and every file that is changed
 * leaves a record and a copy of what it was, so that going back can itself be undone.
 */
export class RewindManager {
  readonly #checkpoints: Checkpoints;
  readonly #copies: FileCopies;
  readonly #messages: MessageManager;
  readonly #files: FileMemory;
  readonly #gauge: ContextGauge;
  readonly #log: SessionLog;
  readonly #register: RunRegister;

  constructor(options: {
    checkpoints: Checkpoints;
    copies: FileCopies;
    messages: MessageManager;
    files: FileMemory;
    gauge: ContextGauge;
    log: SessionLog;
    register: RunRegister;
  }) {
    this.#checkpoints = options.checkpoints;
    this.#copies = options.copies;
    this.#messages = options.messages;
    this.#files = options.files;
    this.#gauge = options.gauge;
    this.#log = options.log;
    this.#register = options.register;
  }

  /** Oldest first. */
  points(): RewindPoint[] {
    return this.#messages.messages.flatMap((message) => {
      const text = promptText(message);
      if (text === undefined) return [];
      const paths = this.#checkpoints.changesSince(message.id).map(({ path }) => path);
      const firstLine = firstLineOf(text);
      const at = this.#checkpoints.saidAt(message.id);
      return [{ messageId: message.id, firstLine, at, filesChanged: new Set(paths).size }];
    });
  }

  /** What `rewind` with its files would do now. Changes nothing. */
  async plan(messageId: string): Promise<Rewound> {
    const { prompt, messages } = this.#target(messageId);
    const plans = await this.#plan(this.#checkpoints.changesSince(messageId));
    return { prompt, messages, files: plans.map(outcomeOf), note: this.#noteOn(messageId) };
  }

  /** Files first: when Wave dies in the middle, the conversation still shows what is left to undo. */
  async rewind(messageId: string, { files }: { files: boolean }): Promise<Rewound> {
    const { prompt, messages } = this.#target(messageId);
    const note = files ? this.#noteOn(messageId) : undefined;
    const done = files ? await this.#undo(this.#checkpoints.changesSince(messageId), "rewind") : [];
    this.#messages.rewind(messageId);
    this.#conversationChanged();
    return { prompt, messages, files: done, note };
  }

  /** Brings back what the newest rewind took away. */
  async undo(): Promise<Rewound> {
    const changes = this.#checkpoints.newestRewind;
    if (!changes) {
      throw new Error(
        "there is no rewind to undo: only the newest one can be undone, and only before the next prompt",
      );
    }
    const files = await this.#undo(changes, "undo");
    const back = this.#messages.bringBack();
    this.#conversationChanged();
    return { prompt: (back[0] && promptText(back[0])) ?? "", messages: back.length, files, note: undefined };
  }

  #conversationChanged(): void {
    this.#files.forgetAll();
    this.#gauge.measureAnew(this.#messages.messages);
  }

  #target(messageId: string): { prompt: string; messages: number } {
    const all = this.#messages.messages;
    const index = all.findLastIndex(({ id }) => id === messageId);
    const message = all[index];
    const prompt = message && promptText(message);
    if (prompt === undefined)
      throw new RangeError(`there is no prompt ${JSON.stringify(messageId)} in this session`);
    return { prompt, messages: all.length - index };
  }

  #noteOn(messageId: string): string | undefined {
    return this.#checkpoints.commandRanSince(messageId) ? COMMANDS_RAN : undefined;
  }

  async #plan(changes: readonly FileChange[]): Promise<Plan[]> {
    const byPath = Map.groupBy(changes, ({ path }) => path);
    const plans: Plan[] = [];
    for (const [path, own] of byPath) {
      const disk = await readDiskFile(path);
      plans.push({ path, disk, taken: await this.#takeBack(own, disk) });
    }
    return plans;
  }

  async #takeBack(changes: readonly FileChange[], disk: DiskFile): Promise<TakenBack> {
    if (disk.found === "other") return { do: "nothing", why: disk.why };
    const now = disk.found === "file" ? { hash: sha256(disk.bytes), text: decode(disk.bytes) } : null;
    const steps = stepsBack(changes, now?.hash ?? null);
    const texts = new Map<string, string>();
    for (const version of steps.flatMap(({ base, before }) => [base, before])) {
      const bytes = version ? await this.#copies.read(version.hash) : undefined;
      const text = bytes && decode(bytes);
      if (version && text !== undefined) texts.set(version.hash, text);
    }
    return takeBack(now, steps, (hash) => texts.get(hash));
  }

  async #undo(changes: readonly FileChange[], by: "rewind" | "undo"): Promise<RewoundFile[]> {
    const done: RewoundFile[] = [];
    for (const plan of await this.#plan(changes)) done.push(await this.#carryOut(plan, by));
    return done;
  }

  async #carryOut(plan: Plan, by: "rewind" | "undo"): Promise<RewoundFile> {
    const { path, disk, taken } = plan;
    if (taken.do === "nothing" || disk.found === "other") return outcomeOf(plan);
    try {
      const next = await this.#nextOf(taken);
      const stats = disk.found === "file" ? disk.stats : undefined;
      const mode = stats ? stats.mode & 0o7777 : next?.mode;
      const before = disk.found === "file" ? await this.#keep(disk.bytes, mode) : null;
      const after = next && (await this.#keep(next.bytes, mode));
      this.#log.append({ type: "file_changed", path, before, after, by }, { sync: true });
      if (next)
        await saveBytes({ realPath: path, bytes: next.bytes, before: stats, mode, register: this.#register });
      else await rm(path);
      return outcomeOf(plan);
    } catch (error) {
      return { path, outcome: "kept", why: explainFailure("change", "it", error).replace(/\.$/, "") };
    }
  }

  async #nextOf(
    taken: Exclude<TakenBack, { do: "nothing" }>,
  ): Promise<{ bytes: Uint8Array; mode: number | undefined } | null> {
    if (taken.do === "merge") return { bytes: Buffer.from(taken.text), mode: undefined };
    if (!taken.version) return null;
    const bytes = await this.#copies.read(taken.version.hash);
    if (!bytes) throw new Error("Wave's copy of it is gone");
    return { bytes, mode: taken.version.mode };
  }

  /** Also what is too large to be kept at every change: this is the only copy there will be. */
  async #keep(bytes: Uint8Array, mode: number | undefined): Promise<FileVersion> {
    const hash = sha256(bytes);
    await this.#copies.keep(bytes, hash);
    return { hash, ...(mode === undefined ? {} : { mode }) };
  }
}

function outcomeOf({ path, taken }: Plan): RewoundFile {
  if (taken.do === "nothing") return { path, outcome: "kept", why: taken.why };
  if (taken.do === "merge") return { path, outcome: "merged" };
  return { path, outcome: taken.version ? "restored" : "removed" };
}
