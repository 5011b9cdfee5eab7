import { isDeepStrictEqual } from "node:util";
import { parseTree, type Node } from "jsonc-parser";
import { quoted } from "../../utils/quoted.ts";
import { kindOf, nodeOfJson, pathTo, plainValue, type NodePlace } from "./node.ts";
import { positionsIn } from "./readFile.ts";

/** One change of one value. `path` leads there by the names of objects, which are made where they are missing or null. */
export type SettingsEdit =
  /** In the place of what is there now. */
  | { do: "set"; path: readonly string[]; value: unknown }
  /** At the end of the list that is there, unless the list has it. */
  | { do: "add"; path: readonly string[]; item: unknown }
  /** Out of the list that is there, with the comment behind it. Nothing happens when the list does not have it. */
  | { do: "remove"; path: readonly string[]; item: unknown }
  /** The last name with its value, out of the object that has it. Nothing happens when there is none. */
  | { do: "delete"; path: readonly string[] };

export type EditedText =
  /** The same text when it said so before. */
  { edited: true; text: string } | { edited: false; place: NodePlace; message: string };

/**
 * Changes settings that can be parsed, and nothing else in them: comments, order, indentation and everything Wave does not
 * know stay as they are, and a comment stays beside what it is about.
 */
export function editText(text: string, edit: SettingsEdit): EditedText {
  const root = parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
  if (root === undefined) return editText(`${withLineEnd(text)}{}${lineEndOf(text)}`, edit);

  const put = (node: Node, value: unknown) => {
    const style = { unit: indentUnit(text, root), outer: indentAt(text, node.offset), text };
    return done(text.slice(0, node.offset) + asJson(value, style) + text.slice(endOf(node)));
  };
  let node = root;
  let path = "";
  for (const [depth, name] of edit.path.entries()) {
    if (node.type === "null") {
      if (edit.do === "remove" || edit.do === "delete") return done(text);
      return put(node, nested(edit.path.slice(depth), newValue(edit)));
    }
    if (node.type !== "object") return misfit(text, node, path, "must be an object");
    path = pathTo(path, name);
    const [field, again] = (node.children ?? []).filter(({ children: [key] = [] }) => key?.value === name);
    if (again) return misfit(text, again, path, "is here a second time; leave one of the two");
    const value = field?.children?.[1];
    if (edit.do === "delete" && field && depth === edit.path.length - 1)
      return done(removeAt(text, node, (node.children ?? []).indexOf(field)));
    if (!value) {
      if (edit.do === "remove" || edit.do === "delete") return done(text);
      const missing = edit.path.slice(depth + 1);
      return done(insertLast(text, node, { name, value: nested(missing, newValue(edit)) }));
    }
    node = value;
  }
  if (edit.do === "delete") return done(text);
  if (edit.do === "set") return isSame(node, edit.value) ? done(text) : put(node, edit.value);
  if (node.type === "null") return edit.do === "remove" ? done(text) : put(node, [edit.item]);
  if (node.type !== "array") return misfit(text, node, path, "must be a list");
  const at = (node.children ?? []).findIndex((item) => isSame(item, edit.item));
  if (edit.do === "add") return done(at >= 0 ? text : insertLast(text, node, { value: edit.item }));
  // The same may stand there twice.
  return at < 0 ? done(text) : editText(removeAt(text, node, at), edit);
}

const isSame = (node: Node, value: unknown) =>
  isDeepStrictEqual(plainValue(nodeOfJson(node, () => 0)), value);

const newValue = (edit: Exclude<SettingsEdit, { do: "remove" | "delete" }>) =>
  edit.do === "set" ? edit.value : [edit.item];

function nested(names: readonly string[], value: unknown): unknown {
  return names.reduceRight((inner, name) => ({ [name]: inner }), value);
}

const done = (text: string): EditedText => ({ edited: true, text });

function misfit(text: string, node: Node, path: string, what: string): EditedText {
  const { line } = positionsIn(text)(node.offset);
  const found = kindOf(nodeOfJson(node, () => line, path));
  const name = path === "" ? "the whole file" : quoted(path.split(".").at(-1) ?? path);
  const not = what.startsWith("must") ? `, not ${found}` : "";
  return { edited: false, place: { path, line }, message: `${name} ${what}${not}` };
}

/** A new entry behind the last one. A list or object that stands on one line stays on it. */
function insertLast(text: string, container: Node, entry: { name?: string; value: unknown }): string {
  const [open, close] = [container.offset + 1, endOf(container) - 1];
  const last = container.children?.at(-1);
  const gap = gapAfter(text, last ? endOf(last) : open, close, last !== undefined);
  const key = entry.name === undefined ? "" : `${JSON.stringify(entry.name)}: `;
  if (last && !/[\r\n]/.test(text.slice(open, close))) {
    const content = key + JSON.stringify(entry.value);
    return insertAt(text, gap.at, gap.comma ? ` ${content},` : `, ${content}`);
  }
  const outer = indentAt(text, container.offset);
  const unit = indentUnit(text, container);
  const indent = last ? indentAt(text, last.offset) : outer + unit;
  const lineEnd = lineEndOf(text);
  const content = key + asJson(entry.value, { unit, outer: indent, text });
  // Brackets with nothing in them get a line of their own for the closing one.
  const closing = last || /[\r\n]/.test(text.slice(gap.at, close)) ? "" : lineEnd + outer;
  const inserted = insertAt(text, gap.at, `${lineEnd}${indent}${content}${gap.comma ? "," : ""}${closing}`);
  return last && !gap.comma ? insertAt(inserted, endOf(last), ",") : inserted;
}

/** Without one entry, its comma, and the comment behind it. A line that has nothing else goes with it. */
function removeAt(text: string, { children = [], ...list }: Node, index: number): string {
  const [before, entry, after] = [children[index - 1], children[index], children[index + 1]];
  if (!entry) return text;
  const gap = gapAfter(text, endOf(entry), after?.offset ?? endOf(list) - 1, true);
  const lineStart = /[^\r\n]*$/.exec(text.slice(0, entry.offset))?.index ?? 0;
  const lineEnd = /\r\n|\n|\r|$/.exec(text.slice(gap.at))?.index ?? 0;
  const isAlone =
    text.slice(lineStart, entry.offset).trim() === "" && text.slice(gap.at, gap.at + lineEnd).trim() === "";
  const [from, to] = isAlone
    ? [lineStart, gap.at + lineEnd + (/^(?:\r\n|\n|\r)/.exec(text.slice(gap.at + lineEnd))?.[0].length ?? 0)]
    : [entry.offset, gap.at + (/^[ \t]*/.exec(text.slice(gap.at))?.[0].length ?? 0)];
  const rest = text.slice(0, from) + text.slice(to);
  if (gap.comma || !before) return rest;
  // The last one has no comma of its own: the one before it has.
  const between = text.slice(endOf(before), entry.offset).matchAll(BETWEEN_ENTRIES);
  const comma = endOf(before) + (between.find(({ 0: piece }) => piece === ",")?.index ?? 0);
  return rest.slice(0, comma) + rest.slice(comma + 1).replace(isAlone ? "" : /^[ \t]+/, "");
}

/** Where a new entry goes: behind a comma, and behind the comments that stand on the line of the last entry. */
function gapAfter(
  text: string,
  from: number,
  close: number,
  hasEntry: boolean,
): { at: number; comma: boolean } {
  const gap = { at: from, comma: false };
  let sameLine = true;
  for (const { 0: piece, index } of text.slice(from, close).matchAll(BETWEEN_ENTRIES)) {
    if (/^[\r\n]/.test(piece)) sameLine = !hasEntry;
    else if (piece === ",") gap.comma = sameLine = true;
    if (piece === "," || (piece.startsWith("/") && sameLine)) gap.at = from + index + piece.length;
  }
  return gap;
}

/** Comments, commas and line breaks; beside blanks there is nothing else between the last entry and its closing bracket. */
const BETWEEN_ENTRIES = /\/\/[^\r\n]*|\/\*[^]*?\*\/|,|\r\n?|\n/g;

function asJson(
  value: unknown,
  { unit, outer, text }: { unit: string; outer: string; text: string },
): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", lineEndOf(text) + outer);
}

/** As far as the first entry of the outermost brackets is indented; two blanks where there is none. */
function indentUnit(text: string, node: Node): string {
  const root = outermost(node);
  const first = root.children?.[0];
  const indent = first && indentAt(text, first.offset).slice(indentAt(text, root.offset).length);
  return indent || "  ";
}

function outermost(node: Node): Node {
  return node.parent ? outermost(node.parent) : node;
}

function indentAt(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
}

function lineEndOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

const withLineEnd = (text: string) => (text === "" || /[\r\n]$/.test(text) ? text : text + lineEndOf(text));
const endOf = ({ offset, length }: Node) => offset + length;
const insertAt = (text: string, at: number, what: string) => text.slice(0, at) + what + text.slice(at);
