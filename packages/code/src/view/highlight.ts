import { common, createLowlight } from "lowlight";
import { withinTime } from "wave-agent-sdk";
import type { Highlight } from "./code.ts";
import { splitLines, span, type Look, type Span } from "./span.ts";

/** In milliseconds: a word of thousands of letters takes the grammars seconds, and nobody could press a key meanwhile. */
const COLOURING_MS = 150;

/** Loaded on its own, after the first frame: the grammars cost more time than everything else of the screen. */
export function createHighlight(): Highlight {
  const lowlight = createLowlight(common);
  return (code, language) => {
    if (!lowlight.registered(language)) return undefined;
    const done = withinTime(COLOURING_MS, () => lowlight.highlight(language, code).children);
    return done && splitLines(spansOf(done.value, {}));
  };
}

/** What lowlight gives: text, or an element with a class such as `hljs-keyword`. */
interface Node {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: readonly Node[];
}

function spansOf(nodes: readonly Node[], look: Look): Span[] {
  return nodes.flatMap((node) => {
    if (node.value !== undefined) return [span(node.value, look)];
    return spansOf(node.children ?? [], lookOf(node.properties?.className) ?? look);
  });
}

const LOOKS: Readonly<Record<string, Look | undefined>> = {
  keyword: { tone: "keyword" },
  built_in: { tone: "keyword" },
  literal: { tone: "literal" },
  string: { tone: "literal" },
  number: { tone: "literal" },
  regexp: { tone: "literal" },
  comment: { tone: "comment", italic: true },
  quote: { tone: "comment", italic: true },
  title: { tone: "title" },
  section: { tone: "title", bold: true },
  type: { tone: "title" },
  name: { tone: "title" },
  attr: { tone: "title" },
  attribute: { tone: "title" },
  addition: { tone: "added" },
  deletion: { tone: "removed" },
  emphasis: { italic: true },
  strong: { bold: true },
};

function lookOf(classes: unknown): Look | undefined {
  if (!Array.isArray(classes)) return undefined;
  const [first] = classes;
  return typeof first === "string" ? LOOKS[first.replace(/^hljs-/, "")] : undefined;
}
