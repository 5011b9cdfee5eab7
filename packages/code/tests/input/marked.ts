import { edit, newEditor, type EditorAction } from "../../src/input/editor.ts";
import type { EditorState } from "../../src/input/editorState.ts";

/** An editor from a text in which "|" marks the cursor. */
export function editorAt(marked: string): EditorState {
  const cursor = marked.indexOf("|");
  return { ...newEditor(marked.replace("|", "")), cursor };
}

/** The text with "|" at the cursor. */
export function marked({ text, cursor }: EditorState): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

export function after(start: string | EditorState, ...actions: EditorAction[]): EditorState {
  return actions.reduce(edit, typeof start === "string" ? editorAt(start) : start);
}
