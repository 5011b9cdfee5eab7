import type { ToolBlock } from "wave-agent-sdk";
import { isInput, textField, type Input } from "./toolInput.ts";

/** What a call does to a file, as far as its input says. */
export interface FileEdit {
  path: string;
  /** Each in the text that the ones before it left; a Write has one without an old text. */
  parts: readonly EditPart[];
}

export interface EditPart {
  old: string | undefined;
  new: string;
  everywhere: boolean;
}

/** Undefined for calls that edit no file, and for inputs that are not what the tool takes. */
export function fileEditOf(toolName: string, input: Input | undefined): FileEdit | undefined {
  const path = textField(input, "file_path");
  if (path === undefined || input === undefined) return undefined;
  switch (toolName) {
    case "Write": {
      const content = textField(input, "content");
      if (content === undefined) return undefined;
      return { path, parts: [{ old: undefined, new: content, everywhere: false }] };
    }
    case "Edit":
      return withParts(path, [input]);
    case "MultiEdit":
      return Array.isArray(input["edits"]) ? withParts(path, input["edits"]) : undefined;
    default:
      return undefined;
  }
}

function withParts(path: string, edits: readonly unknown[]): FileEdit | undefined {
  const parts = edits.flatMap((edit): EditPart[] => {
    if (!isInput(edit)) return [];
    const [before, after] = [textField(edit, "old_string"), textField(edit, "new_string")];
    if (before === undefined || after === undefined) return [];
    return [{ old: before, new: after, everywhere: edit["replace_all"] === true }];
  });
  return parts.length === edits.length && parts.length > 0 ? { path, parts } : undefined;
}

/** The text that a Write replaced, as far as it was kept. */
export function textBefore({ parts: [part] }: FileEdit, replaced: ToolBlock["replaced"]): string | undefined {
  if (!replaced || part?.old !== undefined || part === undefined) return undefined;
  const lines = part.new.split(/\r?\n/);
  for (const { from, to, lines: old } of replaced.toReversed()) lines.splice(from, to - from, ...old);
  return lines.join("\n");
}

/** The text after the edits; undefined when one of them finds nothing to replace. */
export function applyParts(before: string, parts: readonly EditPart[]): string | undefined {
  let text = before;
  for (const part of parts) {
    if (part.old === undefined) text = part.new;
    else if (part.old === "" || !text.includes(part.old)) return undefined;
    // Functions, because `$&` in a replacement string would not mean itself.
    else if (part.everywhere) text = text.replaceAll(part.old, () => part.new);
    else text = text.replace(part.old, () => part.new);
  }
  return text;
}
