import type { ToolBlock } from "wave-agent-sdk";
import { shortenPaths } from "../utils/shortPath.ts";

export type Input = Readonly<Record<string, unknown>>;

/** The input as the model sent it; undefined when it is not JSON, which happens. */
export function sentInput(block: ToolBlock): Input | undefined {
  if (block.parameters.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(block.parameters);
    return isInput(parsed) ? parsed : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** The input that runs or ran. */
export function finalInput(block: ToolBlock): Input | undefined {
  return block.input ?? sentInput(block);
}

/** One field that hooks changed. Undefined: the field was not there. */
export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
  /** "hook NAME (file:line)", where the session says which one. */
  by: string | undefined;
}

/** What hooks made of the input. A path that only became absolute reads the same and is no change. */
export function changesOf(block: ToolBlock, folder: string): FieldChange[] {
  const { input } = block;
  if (!input) return [];
  const sent = sentInput(block);
  if (!sent) return [{ field: "input", before: block.parameters, after: input, by: everyHook(block) }];
  const reading = (value: unknown) => shortenPaths(JSON.stringify(value) ?? "", folder);
  return [...new Set([...Object.keys(sent), ...Object.keys(input)])]
    .filter((field) => reading(sent[field]) !== reading(input[field]))
    .map((field) => ({ field, before: sent[field], after: input[field], by: block.changedBy?.[field] }));
}

const everyHook = ({ changedBy = {} }: ToolBlock) =>
  [...new Set(Object.values(changedBy))].join(", ") || undefined;

export function textField(input: Input | undefined, name: string): string | undefined {
  const value = input?.[name];
  return typeof value === "string" ? value : undefined;
}

export function isInput(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
