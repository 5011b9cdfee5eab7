import {
  deniedCalls,
  RULE_BEHAVIORS,
  ruleUse,
  type ListedRule,
  type RecentDecisions,
  type RuleAt,
  type RuleBehavior,
  type RuleChange,
  type TimedDecision,
} from "wave-agent-sdk";
import { recordedCall } from "../output/deniedCall.ts";
import { shortenPaths } from "../utils/shortPath.ts";
import type { Line } from "../view/span.ts";
import type { PanelKey } from "./frame.ts";
import { plural } from "./hookWords.ts";
import { cutStart, say, spread, type Meaning } from "./lines.ts";
import { moved, type PanelPress } from "./press.ts";
import { ago } from "./sessionList.ts";

/** So many sessions are looked at for what rules did. */
export const RECENT_SESSIONS = 10;
/** So many denied calls are listed. */
export const DENIED_SHOWN = 20;

/** One line of the list: a rule, or a call that was denied lately. */
export type PermissionRow =
  | { is: "rule"; rule: ListedRule; use: string }
  | { is: "denied"; call: TimedDecision };

/** What a person writes about one rule: its text, what it does, and where it is kept. */
export interface RuleForm {
  text: string;
  behavior: RuleBehavior;
  /** Index of the files a rule can be kept in. */
  place: number;
  /** The rule that is edited or moved; absent for a new one. */
  from?: RuleAt;
}

export type PermissionsPlace =
  | { at: "list"; selected: number }
  | { at: "form"; selected: number; form: RuleForm }
  | { at: "remove"; selected: number; rule: RuleAt };

export type PermissionsEffect =
  | { do: "open"; place: PermissionsPlace }
  | { do: "change"; change: RuleChange }
  | { do: "say"; words: string }
  | { do: "back" | "close" };

/** Deny rules first: they are the ones that nothing overrides. */
const ORDER: Record<RuleBehavior, number> = { deny: 0, ask: 1, allow: 2 };

export function permissionRows(
  rules: readonly ListedRule[],
  { decisions }: Pick<RecentDecisions, "decisions">,
  now: number,
): PermissionRow[] {
  const sorted = rules.toSorted((one, other) => ORDER[one.behavior] - ORDER[other.behavior]);
  return [
    ...sorted.map((rule) => ({ is: "rule" as const, rule, use: useWords(rule, decisions, now) })),
    ...deniedCalls(decisions)
      .slice(0, DENIED_SHOWN)
      .map((call) => ({ is: "denied" as const, call })),
  ];
}

/** "matched 3 times, last 5 minutes ago: npm test". */
function useWords(rule: ListedRule, decisions: readonly TimedDecision[], now: number): string {
  const { times, last } = ruleUse(rule, decisions);
  if (!last) return "matched nothing lately";
  const often = times === 1 ? "once" : `${times} times`;
  return `matched ${often}, last ${ago(Date.parse(last.at), now)}: ${recordedCall(last.decision) ?? ""}`;
}

const MEANINGS: Record<RuleBehavior, Meaning> = { deny: "bad", ask: "warn", allow: "good" };

/** Where a rule stands, as a person says it. */
export function placeWords(rule: Pick<ListedRule, "scope" | "file">, folder: string): string {
  if (rule.file !== undefined) return shortenPaths(rule.file, folder);
  return rule.scope === "session" ? "this session" : "given for this run";
}

/** Where a new rule can be kept, and for whom it then counts. */
export function fileWords(file: string, folder: string): string {
  if (file === "session") return "this session";
  const short = shortenPaths(file, folder);
  if (short.endsWith("settings.local.json")) return `${short} (you, in this project)`;
  return short === file || short.startsWith("~")
    ? `${short} (you, in every project)`
    : `${short} (everybody in this project)`;
}

const STATES: Record<ListedRule["state"], string> = {
  active: "",
  "not approved": "not active: approve it with /hooks trust",
  unreadable: "cannot be read, so Wave asks",
};

export const PERMISSION_ROW_HEIGHT = 2;

export function permissionItem(
  row: PermissionRow,
  { columns, folder, now }: { columns: number; folder: string; now: number },
): Line[] {
  if (row.is === "denied") {
    const { call } = row;
    const by = `  ${call.decidedBy} · ${ago(Date.parse(call.ts), now)}`;
    return [
      spread(
        [say("dim", "denied "), say("plain", `${call.toolName ?? ""} ${recordedCall(call) ?? ""}`)],
        [],
        columns,
      ),
      spread([say("dim", by)], [], columns),
    ];
  }
  const { rule, use } = row;
  const state = STATES[rule.state];
  const facts = [placeWords(rule, folder), ...(state === "" ? [] : [state]), use].join(" · ");
  return [
    spread([say(MEANINGS[rule.behavior], rule.behavior.padEnd(6)), say("plain", rule.rule)], [], columns),
    spread([say("dim", `  ${facts}`)], [], columns),
  ];
}

export function permissionsKeys(at: PermissionsPlace["at"]): readonly PanelKey[] {
  if (at === "remove")
    return [
      { keys: "Enter", does: "remove it" },
      { keys: "Esc", does: "keep it" },
    ];
  if (at === "form")
    return [
      { keys: "←→", does: "allow, ask, deny" },
      { keys: "↑↓", does: "where" },
      { keys: "Enter", does: "save" },
      { keys: "Esc", does: "back" },
    ];
  return [
    { keys: "↑↓", does: "choose" },
    { keys: "a", does: "add" },
    { keys: "e", does: "edit, move" },
    { keys: "x", does: "remove" },
    { keys: "Esc", does: "close" },
  ];
}

export function formLines(form: RuleForm, files: readonly string[], folder: string, columns: number): Line[] {
  return [
    [say("dim", "Rule:  "), say("plain", cutStart(form.text, Math.max(1, columns - 9))), say("accent", "▏")],
    [say("dim", "Does:  "), say(MEANINGS[form.behavior], form.behavior)],
    ...files.map((file, index): Line =>
      spread(
        [
          say("dim", index === 0 ? "Where: " : "       "),
          say(index === form.place ? "accent" : "dim", index === form.place ? "› " : "  "),
          say(index === form.place ? "plain" : "dim", fileWords(file, folder)),
        ],
        [],
        columns,
      ),
    ),
    [],
    [say("dim", "Examples: Bash(npm test:*)  Edit(src/**)  Read(~/.ssh/**)  mcp__notes")],
  ];
}

interface Around {
  rows: readonly PermissionRow[];
  files: readonly string[];
  page: number;
}

/** A pure step. Opening a form is an effect: nobody's typing goes into one that they have not seen. */
export function pressInPermissions(
  place: PermissionsPlace,
  press: PanelPress,
  around: Around,
): { now: PermissionsPlace; effect?: PermissionsEffect } {
  if (press.key === "close") return { now: place, effect: { do: "close" } };
  if (place.at === "form") return pressInForm(place, press, around);
  const back: PermissionsPlace = { at: "list", selected: place.selected };
  if (place.at === "remove") {
    if (press.key === "esc") return { now: back };
    return press.key === "enter"
      ? { now: back, effect: { do: "change", change: { from: place.rule } } }
      : { now: place };
  }
  if (press.key === "esc") return { now: place, effect: { do: "close" } };
  const selected = moved(press, place.selected, { count: around.rows.length, page: around.page });
  if (selected !== undefined) return { now: { at: "list", selected } };
  const effect = effectIn(place.selected, press, around);
  return effect ? { now: place, effect } : { now: place };
}

function effectIn(
  selected: number,
  press: PanelPress,
  { rows, files }: Around,
): PermissionsEffect | undefined {
  const row = rows[selected];
  const key = press.key === "text" ? press.text : press.key;
  if (key === "a") {
    const text = row?.is === "denied" ? (row.call.allowedBy ?? "") : "";
    return { do: "open", place: { at: "form", selected, form: { text, behavior: "allow", place: 0 } } };
  }
  if (row?.is !== "rule" || (key !== "e" && key !== "enter" && key !== "x")) return undefined;
  const { rule, behavior, file, scope, fixed } = row.rule;
  if (fixed !== undefined) return { do: "say", words: `${rule} cannot be changed: ${fixed}.` };
  const from: RuleAt = { rule, behavior, file: file ?? scope };
  if (key === "x") return { do: "open", place: { at: "remove", selected, rule: from } };
  const place = Math.max(0, files.indexOf(from.file));
  return { do: "open", place: { at: "form", selected, form: { text: rule, behavior, place, from } } };
}

function pressInForm(
  place: Extract<PermissionsPlace, { at: "form" }>,
  press: PanelPress,
  { files }: Around,
): { now: PermissionsPlace; effect?: PermissionsEffect } {
  const { form, selected } = place;
  const write = (changes: Partial<RuleForm>) => ({ now: { ...place, form: { ...form, ...changes } } });
  switch (press.key) {
    case "esc":
      return { now: { at: "list", selected } };
    case "text":
      return write({ text: form.text + press.text });
    case "backspace":
      return write({ text: Array.from(form.text).slice(0, -1).join("") });
    case "left":
    case "right": {
      const step = press.key === "right" ? 1 : RULE_BEHAVIORS.length - 1;
      const next = RULE_BEHAVIORS[(RULE_BEHAVIORS.indexOf(form.behavior) + step) % RULE_BEHAVIORS.length];
      return write({ behavior: next ?? form.behavior });
    }
    case "enter": {
      const text = form.text.trim();
      const file = files[form.place];
      if (text === "" || file === undefined) return { now: place };
      const to: RuleAt = { rule: text, behavior: form.behavior, file };
      const change = form.from ? { from: form.from, to } : { to };
      return { now: { at: "list", selected }, effect: { do: "change", change } };
    }
    default:
      return write({
        place: moved(press, form.place, { count: files.length, page: files.length }) ?? form.place,
      });
  }
}

/** What `wave permissions` prints. */
export function permissionText(
  rows: readonly PermissionRow[],
  { folder, now, sessions }: { folder: string; now: number; sessions: number },
): string[] {
  const rules = rows.filter((row) => row.is === "rule");
  const denied = rows.filter((row) => row.is === "denied");
  return [
    ...(rules.length === 0 ? ["There are no permission rules here."] : []),
    ...rules.flatMap(({ rule, use }) => {
      const state = STATES[rule.state];
      return [
        `${rule.behavior.padEnd(6)}${rule.rule}`,
        `      ${[placeWords(rule, folder), ...(state === "" ? [] : [state]), use].join(" · ")}`,
      ];
    }),
    ...(denied.length === 0 ? [] : ["", "Denied lately"]),
    ...denied.map(
      ({ call }) =>
        `  ${call.toolName ?? ""} ${recordedCall(call) ?? ""} · ${call.decidedBy} · ${ago(Date.parse(call.ts), now)}`,
    ),
    "",
    `Looked at ${sessions === 0 ? "no session: there is none here yet" : `the last ${plural(sessions, "session")} of this project`}. To change rules, open wave and type /permissions.`,
  ];
}
