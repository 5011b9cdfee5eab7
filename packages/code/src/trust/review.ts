import { dirname, join, relative } from "node:path";
import {
  inItsTurn,
  plainFileAt,
  whatCounts,
  type ChangedFile,
  type ProjectTrust,
  type SettingsReview,
  type TrustItem,
} from "wave-agent-sdk";
import { shortenPaths } from "../utils/shortPath.ts";
import { visibleText } from "../asking/visibleText.ts";
import { say } from "../panels/lines.ts";
import { span, type Line } from "../view/span.ts";
import { differenceLines } from "./difference.ts";

/** What is not any more as it was read, each file with its difference. */
export function changeLines({ changes }: SettingsReview, folder: string): Line[] {
  return changes.flatMap((one) => [
    [say("strong", shortenPaths(one.file, folder)), say("dim", `   ${one.is}, ${one.change}`)],
    ...contentLines(one),
  ]);
}

function contentLines({ texts }: ChangedFile): Line[] {
  return texts
    ? differenceLines(texts.before, texts.after)
    : [[say("warn", "      cannot be compared line by line: look at the file before you say yes")]];
}

/** Everything that a yes would approve, in full and with nothing hidden (G24, T39). Lines may be longer than a screen. */
export function reviewLines(trust: ProjectTrust): Line[] {
  const open = trust.items.filter(({ state }) => state !== "reviewed");
  const reviewed = trust.items.length - open.length;
  const events = [...new Set(open.flatMap(({ item }) => (item.kind === "hook" ? [item.hook.event] : [])))];
  const rules = open.flatMap(({ item }) => (item.kind === "allow-rule" ? [item] : []));
  return [
    ...trust.warnings.map((text) => [say("warn", text)]),
    ...events.flatMap((event) => [
      [say("strong", event)],
      ...open
        .filter(({ item }) => item.kind === "hook" && item.hook.event === event)
        .flatMap((one) => hookLines(one, trust.projectDir)),
    ]),
    ...(rules.length === 0 ? [] : [[say("strong", "runs without a question")]]),
    ...rules.map((item) => [
      say("accent", `  ${item.rule}`),
      say("dim", `   ${relative(trust.projectDir, item.file)}`),
      ...leadsOut(item),
    ]),
    ...settingsLines(open),
    ...open.flatMap(instructionsLines),
    ...(reviewed === 0 ? [] : [[say("dim", approvedBefore(reviewed, trust.items.length))]]),
  ];
}

/** "1 of 2 was approved before and has not changed". */
export function approvedBefore(reviewed: number, all: number): string {
  const which = reviewed === all ? (all === 1 ? "it" : `all ${all}`) : `${reviewed} of ${all}`;
  return reviewed === 1
    ? `${which} was approved before and has not changed`
    : `${which} were approved before and have not changed`;
}

function hookLines(one: TrustItem, projectDir: string): Line[] {
  if (one.item.kind !== "hook") return [];
  const { hook } = one.item;
  const { source, matcher, action, timeoutMs, onError, passEnv } = hook;
  const on = matcher === undefined || matcher === "" ? "" : ` on ${matcher}`;
  const when = hook.if === undefined ? on : `${on}, if ${hook.if}`;
  const place = `${relative(projectDir, source.file ?? "")}${source.line === undefined ? "" : `:${source.line}`}`;
  return [
    [say(one.state === "changed" ? "warn" : "plain", `  ${hook.name}${when}`), say("dim", `   ${one.state}`)],
    ...shown(action.shown).map((line): Line => [span("    "), ...line]),
    [
      say(
        "dim",
        `    ${place}, ${timeoutMs / 1000} s, onError ${typeof onError === "string" ? onError : JSON.stringify(onError)}`,
      ),
      ...leadsOut(one.item),
    ],
    ...(action.notes ?? []).map((note) => [say("dim", `    ${note}`)]),
    ...(hook.cwd === undefined ? [] : [[say("dim", "    starts in the folder of the session")]]),
    ...(hook.sequence ? [[say("dim", `    runs ${inItsTurn(hook.sequence)}`)]] : []),
    ...Object.entries(hook.env ?? {}).flatMap(([name, value]) =>
      shown(`sets ${name}=${value}`).map((line): Line => [span("    "), ...line]),
    ),
    ...(passEnv.length === 0 ? [] : [[say("warn", `    is given ${passEnv.join(", ")}`)]]),
    ...(one.files.length === 0
      ? [[say("dim", "    names no file of this project: only its text is pinned")]]
      : one.files.flatMap((file) => [
          [
            say("dim", `    pins ${file.path} ${file.sha256.slice(0, 12)}`),
            ...(file.leadsTo === undefined ? [] : [say("warn", ` → ${file.leadsTo}`)]),
          ],
          ...(one.state === "changed"
            ? fileDifference(one, file.path, file.bytes)
            : fileText(whatCounts(file.path, file.bytes))),
          ...computedNames(file),
        ])),
    ...definitionDifference(one),
  ];
}

/** Nobody can tell from its text what it loads. */
function computedNames({ path, loading }: TrustItem["files"][number]): Line[] {
  if (!loading?.computes) return [];
  const folder = dirname(path);
  const where = folder === "." ? "directly in the project's folder" : `in ${folder} and below it`;
  const text = `loads code by names that it computes: all code ${where} is pinned, what lies elsewhere is not`;
  return [[say("warn", `      ${text}`)]];
}

/** What the session would be given, each value in full; a value of several lines cannot pass for several settings. */
function settingsLines(open: readonly TrustItem[]): Line[] {
  const lines = open.flatMap(({ item, state, before }): Line[] => {
    if (item.kind !== "setting") return [];
    const [first = [], ...more] = shown(item.says);
    const was = state === "changed" && before?.kind === "setting" ? shown(before.says) : [];
    return [
      [span("  "), ...first, say("dim", `   ${item.path}, ${state}`), ...leadsOut(item)],
      ...more.map((line): Line => [say("dim", "      │ "), ...line]),
      ...was.map((line, at): Line => [say("warn", at === 0 ? "    was: " : "      │ "), ...line]),
    ];
  });
  return lines.length === 0 ? [] : [[say("strong", "set for the session")], ...lines];
}

/** What the model would be told, whole: nobody is sent away to read the rest before they can say yes. */
function instructionsLines({ item, files, state, before }: TrustItem): Line[] {
  if (item.kind !== "instructions") return [];
  const texts = files.map(({ bytes }) => bytes.toString("utf8"));
  const old = before?.kind === "instructions" ? readCounted(join(before.copy, item.path)) : undefined;
  return [
    [say("strong", "read to the model")],
    [
      say(state === "changed" ? "warn" : "plain", `  ${item.path}`),
      say("dim", `   ${state}, ${item.sha256.slice(0, 12)}`),
      ...leadsOut(item),
    ],
    ...texts.flatMap((text) => (old === undefined ? wholeText(text) : differenceLines(old, text))),
    ...(item.unread === 0
      ? []
      : [[say("dim", `      … ${item.unread} more bytes of it are never read to the model`)]]),
  ];
}

/** Settings behind a link that leaves the project can be changed by whoever owns the place it leads to (T47). */
const leadsOut = ({ settingsAt }: TrustItem["item"]) =>
  settingsAt === undefined ? [] : [say("warn", ` → ${settingsAt}`)];

/** Of a script that is new all of it can be read, up to a length that nobody would read here. */
function fileText(bytes: Buffer): Line[] {
  if (bytes.includes(0))
    return [[say("warn", "      a binary: its bytes are pinned, and cannot be read here")]];
  const lines = wholeText(bytes.toString("utf8"));
  const more = lines.length - MOST_LINES;
  return [
    ...lines.slice(0, MOST_LINES),
    ...(more > 0
      ? [[say("dim", "      │ "), say("warn", `… ${more} more lines: read the file before you say yes`)]]
      : []),
  ];
}

const wholeText = (text: string) =>
  shown(text.trimEnd()).map((line): Line => [say("dim", "      │ "), ...line]);

const MOST_LINES = 60;

/** What a person could not see in a command is spelled out and marked. */
function shown(text: string): Line[] {
  return visibleText(text).lines.map((line) =>
    line.map((piece) => say(piece.hidden ? "bad" : "accent", piece.text)),
  );
}

function definitionDifference({ before, item, state }: TrustItem): Line[] {
  if (state !== "changed" || before?.kind !== "hook" || item.kind !== "hook") return [];
  const { hook } = item;
  const onError = typeof hook.onError === "string" ? hook.onError : JSON.stringify(hook.onError);
  const fields: [what: string, was: string, is: string][] = [
    ["command", before.command, hook.action.shown],
    ["matcher", before.matcher ?? "", hook.matcher ?? ""],
    ["timeout", `${before.timeoutMs / 1000} s`, `${hook.timeoutMs / 1000} s`],
    ["onError", before.onError, onError],
    ["passEnv", before.passEnv.join(", "), hook.passEnv.join(", ")],
    ["cwd", before.cwd ?? "project", hook.cwd ?? "project"],
    ["env", settingsOf(before.env), settingsOf(hook.env)],
    ["sandbox", before.sandbox ?? "", hook.sandbox ?? ""],
    ["sequential", placeWords(before.sequential), placeWords(hook.sequence?.place)],
  ];
  return fields
    .filter(([, was, is]) => was !== is)
    .map(([what, was]) => [say("warn", `    ${what} was: ${was === "" ? "nothing" : was}`)]);
}

const placeWords = (place: number | undefined) => (place === undefined ? "" : inItsTurn({ place }));

const settingsOf = (env: Readonly<Record<string, string>> = {}) =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join(" ");

function fileDifference({ before, state }: TrustItem, path: string, bytes: Buffer): Line[] {
  if (state !== "changed" || before?.kind !== "hook") return [];
  // Beside what was approved a copy has links: they say what the file is now.
  const copy = Object.hasOwn(before.files, path) ? before.copy : undefined;
  const old = copy === undefined ? undefined : readCounted(join(copy, path));
  const counted = whatCounts(path, bytes);
  const now = counted.toString("utf8");
  if (old === undefined || bytes.includes(0)) return fileText(counted);
  return old === now ? [] : differenceLines(old, now);
}

function readCounted(file: string): string | undefined {
  // Where the copy is gone there is no difference to show, and the whole file counts as new.
  const bytes = plainFileAt(file);
  return bytes && whatCounts(file, bytes).toString("utf8");
}
