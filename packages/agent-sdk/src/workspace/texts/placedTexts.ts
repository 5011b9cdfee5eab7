import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { fieldText, readFrontMatter, type FrontMatter } from "../../utils/frontMatter.ts";
import { readableText } from "../../utils/readable.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { textsOfPerson, type FoundText, type TextKind } from "./findTexts.ts";

/** A command, a skill or the definition of a sub-agent that can be called for. */
export interface PlacedText {
  kind: TextKind;
  /** As it is called for: "deploy", "git:amend". */
  name: string;
  /** One line. */
  description: string;
  /** What goes behind the name of a command: "[file]". */
  argumentHint?: string;
  scope: "project" | "user";
  file: string;
  body: string;
  /** All that stands before it. */
  fields: FrontMatter["fields"];
}

/** A person's own come first: a project cannot take over a name that they use every day. */
export function placedTexts(
  ofProject: readonly FoundText[],
  { projectDir, home, plugins = [] }: { projectDir: string; home: string; plugins?: readonly Plugin[] },
): PlacedText[] {
  const all = [
    ...textsOfPerson(home).texts.map((text) => placed(text, home, "user")),
    ...ofProject.map((text) => placed(text, projectDir, "project")),
    ...plugins.filter(({ isChanged }) => !isChanged).flatMap(textsIn),
  ];
  return all.filter(
    (one, at) => at === all.findIndex((other) => other.kind === one.kind && other.name === one.name),
  );
}

/** Called for with the plugin's name before their own, so that they cannot take a name that somebody else uses. */
const textsIn = ({ name, root }: Plugin): PlacedText[] =>
  textsOfPerson(root).texts.map((text) => {
    const one = placed(text, root, "user");
    const body = one.body.replaceAll("${CLAUDE_PLUGIN_ROOT}", () => root);
    return { ...one, name: `${name}:${one.name}`, body };
  });

function placed(
  { kind, name, path, bytes, size }: FoundText,
  root: string,
  scope: PlacedText["scope"],
): PlacedText {
  // The decoder keeps back half a character at the cut.
  const text = readableText(new StringDecoder("utf8").write(bytes));
  const matter = readFrontMatter(text);
  const { body } = matter;
  const hint = fieldText(matter, "argument-hint");
  const cut = size > bytes.length ? `\n[${path} is cut here: ${bytes.length} of ${size} bytes are read]` : "";
  return {
    kind,
    name: nameOf(kind, name, fieldText(matter, "name")),
    description: oneLine(fieldText(matter, "description") ?? body.replace(/^#+\s*/, "")),
    ...(hint === undefined ? {} : { argumentHint: oneLine(hint) }),
    scope,
    file: join(root, path),
    body: body + cut,
    fields: matter.fields,
  };
}

/** A command is called as its file is; the others may name themselves. */
const nameOf = (kind: TextKind, name: string, own: string | undefined) =>
  (kind !== "command" && own !== undefined && /^[\w-]{1,64}$/.test(own) ? own : name).replaceAll("/", ":");

const LONGEST = 200;
const oneLine = (text: string) => {
  const [line = ""] = text.trim().split("\n");
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
};
