import type { Usage } from "./blocks.ts";
import type { SessionRecord } from "./sessionLines.ts";
import { sumUsage } from "./usage.ts";

/** What a session is beside its messages: what its turns cost, and what the person chose for it. */
export class SessionFacts {
  /** What all turns cost together. */
  usage: Usage | undefined;
  /** The model that was chosen last in the session; undefined when it always had the configured one. */
  model: string | undefined;
  /** What the person calls it. */
  name: string | undefined;
  /** Allow rules that a person kept for the session. */
  readonly rules = new Set<string>();

  constructor(
    before: {
      usage?: Usage | undefined;
      model?: string | undefined;
      name?: string | undefined;
      rules?: readonly string[];
    } = {},
  ) {
    this.usage = before.usage;
    this.model = before.model;
    this.name = before.name;
    for (const rule of before.rules ?? []) this.rules.add(rule);
  }

  add(record: SessionRecord): void {
    if (record.type === "turn_ended" && record.usage) this.usage = sumUsage(this.usage, record.usage);
    if (record.type === "model_chosen") this.model = record.model;
    if (record.type === "named") this.name = record.name;
    if (record.type === "rule_added" && record.scope === "session") this.rules.add(record.rule);
    if (record.type === "rule_removed") this.rules.delete(record.rule);
  }

  /** What another file has to say in order to have them. */
  records(): SessionRecord[] {
    return [
      ...[...this.rules].map((rule): SessionRecord => ({ type: "rule_added", rule, scope: "session" })),
      ...(this.model === undefined ? [] : [{ type: "model_chosen", model: this.model } as const]),
      ...(this.name === undefined ? [] : [{ type: "named", name: this.name } as const]),
      ...(this.usage === undefined
        ? []
        : [{ type: "turn_ended", because: "written again", usage: this.usage } as const]),
    ];
  }
}
