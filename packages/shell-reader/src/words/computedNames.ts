import type { Assignment, Word, WordPart } from "unbash";
import { literal, readWord } from "./words.ts";

/** How the name of a program comes about that does not stand on the line as it is. */
export type ComputedName =
  /** It has some known part, or is a plain value of somebody's environment: the words of the line say enough. */
  | { by: "words" }
  | { by: "variable"; name: string }
  /** Letters are put together, cut or changed: no word of the line need be like the program. */
  | { by: "bash" };

export function computedName(word: Word): ComputedName {
  const parts = flat(word.parts ?? []);
  const slash = parts.findLastIndex((part) => "value" in part && part.value.includes("/"));
  const before = parts[slash];
  if (before && "value" in before && !before.value.endsWith("/")) return { by: "words" };
  const [only, ...others] = parts.slice(slash + 1);
  if (!only || [only, ...others].some((part) => "value" in part && part.value !== "")) return { by: "words" };
  if (others.length > 0) return { by: "bash" };
  if (only.type === "SimpleExpansion") return { by: "variable", name: only.text.slice(1) };
  if (only.type === "ParameterExpansion") {
    const plain = !only.operation && !only.index && only.prefix === undefined;
    return plain ? { by: "variable", name: only.parameter } : { by: "bash" };
  }
  return { by: only.type === "Glob" || only.type === "ArithmeticExpansion" ? "words" : "bash" };
}

function flat(parts: readonly WordPart[]): WordPart[] {
  return parts.flatMap((part) => (part.type === "DoubleQuoted" ? flat(part.parts) : [part]));
}

/** The value does not stand on the line as it will be. */
export function isComputedValue({ value, append, index }: Assignment): boolean {
  return value.type === "ArrayValue" || append === true || index !== undefined || !isSpelledOut(value);
}

export function isSpelledOut(word: Word): boolean {
  const text = literal(readWord(word));
  return text !== undefined && word.text.replace(/^(["'])(.*)\1$/s, "$2") === text;
}
