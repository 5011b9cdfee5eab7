import type { DecisionRecord } from "wave-agent-sdk";

type HookEntry = DecisionRecord["hooks"][number];

export interface Rewrite {
  hook: HookEntry;
  /** False: another hook changed the same field after it, and that one counts. */
  taken: boolean;
  /** `command: "ls" → "ls -l"`, bounded. */
  change: string;
}

/** What hooks changed about the input of a call, hook by hook. */
export function rewritesIn(record: DecisionRecord): Rewrite[] {
  return record.hooks.flatMap((hook) => {
    const { rewrote = [], rewriteTaken: taken = true } = hook;
    return rewrote.length === 0
      ? []
      : [{ hook, taken, change: taken ? changeOf(rewrote, record) : rewrote.join(", ") }];
  });
}

function changeOf(fields: readonly string[], { inputPreview, finalInputPreview }: DecisionRecord): string {
  // Sessions of an earlier version have no previews.
  if (inputPreview === undefined || finalInputPreview === undefined) return fields.join(", ");
  const before = objectIn(inputPreview);
  const after = objectIn(finalInputPreview);
  if (!before || !after)
    return `${fields.join(", ")}: ${shortened(inputPreview)} → ${shortened(finalInputPreview)}`;
  return fields.map((field) => `${field}: ${valueOf(before, field)} → ${valueOf(after, field)}`).join("; ");
}

/** undefined when the preview is only the beginning and the end of a long input, or never was JSON. */
function objectIn(preview: string): object | undefined {
  try {
    const value: unknown = JSON.parse(preview);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // SyntaxError: exactly what was asked.
    return undefined;
  }
}

function valueOf(input: object, field: string): string {
  const value: unknown = Object.hasOwn(input, field) ? Reflect.get(input, field) : undefined;
  return value === undefined ? "nothing" : shortened(JSON.stringify(value));
}

function shortened(text: string): string {
  const characters = Array.from(text.replaceAll("\n", " "));
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : characters.join("");
}

const LONGEST = 160;
