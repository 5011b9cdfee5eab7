import type { z } from "zod";
import type { HookEventRow } from "../../packages/agent-sdk/src/hooks/eventRow.ts";
import { HOOK_EVENT_NAMES, HOOK_EVENTS } from "../../packages/agent-sdk/src/hooks/events.ts";
import { FAILURE_KINDS } from "../../packages/agent-sdk/src/hooks/failurePolicy.ts";
import { WAYS_TO_FAIL } from "../../packages/agent-sdk/src/hooks/failures.ts";
import { canGive, GIVEN, recipientsOf, type Shown } from "../../packages/agent-sdk/src/hooks/recipients.ts";
import { hookGroupSchema } from "../../packages/agent-sdk/src/workspace/settings/schema.ts";
import { HOOK_KINDS } from "../../packages/agent-sdk/src/hooks/kinds/kinds.ts";
import { code, table, type Row } from "./markdown.ts";
import { jsonSchemaOf } from "./schemas.ts";

const STDOUT: Record<HookEventRow["stdout"], string> = {
  "second-user-message": "stdout, if there is any, becomes a second user message",
  "hook-block": "stdout, if there is any, is context for the model",
  "not-used": "stdout is not used",
};

const AFTER_2: Record<HookEventRow["onBlock"], string> = {
  "drop-prompt": "the prompt is erased and not processed; stderr is shown to the user",
  "deny-tool": "the tool does not run; stderr is its result, for the model",
  "tell-model": "the result stays; stderr goes to the model in a message of its own",
  "keep-going": "the turn goes on; stderr goes to the model in a message of its own",
  "end-turn": "the turn ends; stderr is shown to the user",
  "refuse-change": "the change is not taken; stderr is shown to the user",
  "tell-user": "cannot block; stderr is shown to the user",
};

export function exitCodeTable(): string {
  const rows = HOOK_EVENT_NAMES.map((event) => {
    const row: HookEventRow = HOOK_EVENTS[event];
    // Only an event that can keep a turn going is about its end.
    const passed = row.onBlock === "keep-going" ? "the turn ends" : "goes on";
    const onError = row.onError.length > 0 ? row.onError.map(code).join(", ") : "–";
    return [
      code(event),
      `${passed}; ${STDOUT[row.stdout]}`,
      AFTER_2[row.onBlock],
      `shown to the user; ${passed}`,
      onError,
    ];
  });
  return table(["Event", "0", "2", "any other", "`onError` that acts"], rows);
}

export function eventTable(): string {
  const rows = HOOK_EVENT_NAMES.map((event) => {
    const row: HookEventRow = HOOK_EVENTS[event];
    const example = Object.fromEntries(Object.keys(row.input().shape).map((name) => [name, `<${name}>`]));
    const args = row.args(example).map((value) => code(value.replaceAll(/[<>"]/g, "")));
    return [code(event), row.matchOn === undefined ? "–" : code(row.matchOn), args.join(", ") || "–"];
  });
  return table(["Event", "A matcher is compared with", "`$1`, `$2`"], rows);
}

export function inputTable(): string {
  const fields = collect(HOOK_EVENT_NAMES.map((event) => [event, fieldsOf(HOOK_EVENTS[event].input())]));
  return table(["Field", "Events", "Value", "Meaning"], fields);
}

export function outputTable(): string {
  const fields = collect(
    HOOK_EVENT_NAMES.map((event) => [event, outputFieldsOf(HOOK_EVENTS[event].output())]),
  );
  return table(["Field", "Events", "Value", "Meaning"], fields);
}

export function hookFieldTable(): string {
  const group = fieldsOf(hookGroupSchema()).filter(({ name }) => name !== "hooks");
  const kinds = HOOK_KINDS.filter(({ writtenBy }) => writtenBy === "anybody");
  const fields = kinds.flatMap((kind) => fieldsOf(kind.schema()).map((field) => ({ ...field, kind })));
  const rows = [...Map.groupBy(fields, ({ name }) => name).values()].map((same) => {
    const which = same.length === kinds.length ? "all" : same.map(({ kind }) => code(kind.type)).join(", ");
    const [{ name, meaning } = { name: "", meaning: "" }] = same;
    return [code(name), which, [...new Set(same.map(({ value }) => value))].join(", "), meaning];
  });
  const ofGroup = group.map(({ name, value, meaning }) => [code(name), "group", value, meaning]);
  return table(["Field", "Hooks", "Value", "Meaning"], [...ofGroup, ...rows]);
}

/** Every way to fail, by kind. */
export function failureTable(): string {
  const rows = FAILURE_KINDS.map((kind) => {
    const ways = Object.values(WAYS_TO_FAIL).filter((way) => way.kind === kind);
    return [code(kind), ways.map(({ when }) => when).join("; ")];
  });
  return table(["Kind", "The hook fails when"], rows);
}

const SHOWN: Record<Shown, string> = {
  error: "as an error",
  warning: "as a warning",
  question: "in the question",
  conversation: "in the conversation",
};

/** Events for which the same holds share a row. */
export function recipientTable(): string {
  const text = "TEXT";
  const rows = GIVEN.flatMap((given) => {
    const groups = new Map<string, { cells: string[]; events: string[] }>();
    for (const event of HOOK_EVENT_NAMES.filter((one) => canGive(one, given))) {
      const { user, model, record } = recipientsOf(event, given.result(event, text), text);
      const cells = [user.map((shown) => SHOWN[shown]).join(", ") || "–", yes(model), yes(record)];
      const group = groups.get(cells.join("|")) ?? { cells, events: [] };
      group.events.push(event);
      groups.set(cells.join("|"), group);
    }
    return [...groups.values()].map(({ cells, events }) => {
      const all = events.length === HOOK_EVENT_NAMES.length;
      return [given.what, all ? "all" : events.map(code).join(", "), ...cells];
    });
  });
  return table(["What a hook gives", "Events", "The user sees it", "The model", "The record"], rows);
}

const yes = (is: boolean) => (is ? "yes" : "–");

interface Field {
  name: string;
  value: string;
  meaning: string;
}

/** `hookSpecificOutput` is shown as the fields in it. */
function outputFieldsOf(schema: z.ZodObject): Field[] {
  return fieldsOf(schema).flatMap((field) => {
    if (field.name !== "hookSpecificOutput") return [field];
    const inner = schema.shape["hookSpecificOutput"]?.unwrap();
    return fieldsOf(inner).map((each) =>
      each.name === "hookEventName"
        ? {
            name: `${field.name}.${each.name}`,
            value: "the event",
            meaning: "which event the object speaks about",
          }
        : { ...each, name: `${field.name}.${each.name}` },
    );
  });
}

function fieldsOf(schema: z.ZodObject): Field[] {
  return Object.entries(jsonSchemaOf(schema).properties ?? {}).map(([name, field]) => {
    if (typeof field === "boolean") return { name, value: "anything", meaning: "" };
    if (name === "hook_event_name") return { name, value: "the event", meaning: "which event this is" };
    return { name, value: valueOf(field), meaning: field.description ?? "" };
  });
}

/** In words, which values a field takes. */
export function valueOf(field: z.core.JSONSchema.BaseSchema): string {
  if (field.enum) return field.enum.map((value) => code(String(value))).join(", ");
  if (field.const !== undefined) return code(String(field.const));
  if (field.anyOf) return field.anyOf.map(valueOf).join(", ");
  return typeof field.type === "string" ? (VALUES[field.type] ?? field.type) : "anything";
}

const VALUES: Record<string, string> = {
  string: "text",
  object: "object",
  array: "list",
  boolean: "true or false",
};

/** One row per field, with the events it belongs to: fields of every event first, in the order of the events. */
function collect(events: [event: string, fields: Field[]][]): Row[] {
  const rows = new Map<string, Field & { events: string[] }>();
  for (const [event, fields] of events) {
    for (const field of fields) {
      const key = JSON.stringify(field);
      const row = rows.get(key) ?? { ...field, events: [] };
      row.events.push(event);
      rows.set(key, row);
    }
  }
  return [...rows.values()]
    .toSorted((a, b) => Number(b.events.length === events.length) - Number(a.events.length === events.length))
    .map(({ name, events: of, value, meaning }) => {
      return [code(name), of.length === events.length ? "all" : of.map(code).join(", "), value, meaning];
    });
}
