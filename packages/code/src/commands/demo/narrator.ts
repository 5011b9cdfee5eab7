import type { DecisionRecord } from "wave-agent-sdk";
import type { Colour } from "../../output/paint.ts";
import type { StreamEvent } from "../../output/schema.ts";
import { shortenPaths } from "../../utils/shortPath.ts";
import { PROMPT } from "./files.ts";
import { FIRST_HEADING, HEADINGS, WHY } from "./script.ts";
import type { Stage } from "./stage.ts";

type BlockEvent = Extract<StreamEvent, { type: "block" }>;
type HookEntry = DecisionRecord["hooks"][number];

/** Tells what happens, from the events of stream-json and the decision records: nothing is said that did not happen. */
export class Narrator {
  readonly #stage: Stage;
  readonly #folder: string;
  readonly #explained = new Set<string>();
  readonly #wanted = new Map<string, string>();
  /** What a hook told the model, until the record of its event comes. */
  readonly #context = new Map<string, string>();
  /** Explanations come after everything that belongs to the decision, also the warnings that follow it. */
  #whys: string[] = [];

  constructor(stage: Stage, folder: string) {
    this.#stage = stage;
    this.#folder = folder;
  }

  tell(event: StreamEvent): void {
    if (event.type !== "block") this.#explain();
    switch (event.type) {
      case "turn_started":
        this.#stage.heading(FIRST_HEADING);
        return this.#say("you", "green", PROMPT);
      case "model_started": {
        const heading = HEADINGS[event.call];
        if (heading) this.#stage.heading(heading);
        return;
      }
      case "block":
        return this.#tellBlock(event);
      case "tool_started": {
        const input = inputLine(event.name, event.input);
        const changed = input !== this.#wanted.get(event.tool_use_id);
        this.#wanted.delete(event.tool_use_id);
        return this.#say("runs", "blue", changed ? `${input}   (changed by a hook)` : input);
      }
      case "tool_ended":
        return this.#tellResult(event);
      case "notice":
        if (event.level !== "info") this.#say(event.level, "red", event.text);
        return;
      default:
        return;
    }
  }

  question(
    tool: string,
    input: Record<string, unknown>,
    asks: { reason: string; by: readonly string[] },
  ): void {
    this.#say(
      "asks",
      "yellow",
      `May this run? ${inputLine(tool, input)}\nAsked by ${asks.by.join(", ")}: ${asks.reason}`,
    );
  }

  #say(who: string, colour: Colour, text: string): void {
    this.#stage.say({ who, colour, text: shortenPaths(text, this.#folder) });
  }

  #tellBlock({ role, origin, block }: BlockEvent): void {
    const content = typeof block["content"] === "string" ? block["content"] : "";
    if (block.type === "tool") {
      const input = inputLine(String(block["name"]), parsed(block["parameters"]));
      this.#wanted.set(String(block["id"]), input);
      this.#say("wants", "blue", input);
    }
    if (block.type === "text" && role === "assistant") this.#say("model", "cyan", content);
    if (block.type === "text" && origin) this.#context.set(origin.hook, content);
    if (block.type === "warn") this.#say("warning", "yellow", content);
    if (block.type === "error") this.#say("error", "red", content);
  }

  /** The record itself, with all it knows about its hooks. */
  tellRecord(record: DecisionRecord): void {
    for (const hook of record.hooks) {
      const did = whatItDid(hook, this.#context.get(hook.name));
      if (did === undefined) continue;
      this.#say(
        "hook",
        "magenta",
        `${hook.name} (${record.event}, ${hook.source}) ended with ${hook.ended} and ${did}`,
      );
      const why = WHY[hook.name];
      if (why && !this.#explained.has(hook.name)) this.#whys.push(why);
      this.#explained.add(hook.name);
    }
    if (record.decision === "deny") this.#say("decided", "red", `it does not run: ${record.decidedBy}`);
    if (record.decision === "allow" && record.decidedBy === "person")
      this.#say("decided", "green", "it runs: you said yes");
  }

  #explain(): void {
    for (const why of this.#whys) this.#say("why", "dim", why);
    this.#whys = [];
  }

  #tellResult(event: Extract<StreamEvent, { type: "tool_ended" }>): void {
    // A call that never ran has its reason as its result, and the hook has just told it.
    if (this.#wanted.delete(event.tool_use_id)) return;
    const lines = dedent(event.result.trimEnd().replaceAll("\t", "  ").split("\n"));
    const rest = lines.length > RESULT_LINES ? [`… (${lines.length - RESULT_LINES} more)`] : [];
    this.#say("result", "dim", [...lines.slice(0, RESULT_LINES), ...rest].join("\n"));
  }
}

const RESULT_LINES = 4;

/** What a hook did, in words; undefined when it had nothing to say. */
function whatItDid(hook: HookEntry, context: string | undefined): string | undefined {
  if (hook.verdict === "deny") return `said no: ${hook.reason ?? ""}`;
  if (hook.verdict === "ask") return "had this asked";
  if (hook.rewrote && hook.rewrote.length > 0) return `changed ${hook.rewrote.join(", ")}`;
  if (hook.verdict === "could not decide") return `could not decide: ${hook.failure ?? ""}`;
  if (hook.stdoutBytes === 0) return undefined;
  return context === undefined ? "has a word for you" : `told the model: ${context}`;
}

/** Without the blanks that all lines begin with. */
function dedent(lines: string[]): string[] {
  const margin = Math.min(
    ...lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length),
  );
  return Number.isFinite(margin) ? lines.map((line) => line.slice(margin)) : lines;
}

/** A call in one line: its command, or the name of its file. */
function inputLine(tool: string, input: Record<string, unknown>): string {
  const { command, file_path: path } = input;
  if (typeof command === "string") return `${tool}: ${command}`;
  if (typeof path === "string") return `${tool}: ${path.split("/").at(-1)}`;
  return tool;
}

function parsed(parameters: unknown): Record<string, unknown> {
  const value: unknown = typeof parameters === "string" ? JSON.parse(parameters) : {};
  return typeof value === "object" && value !== null ? { ...value } : {};
}
