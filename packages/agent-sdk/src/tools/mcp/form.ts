import { onOneLine, shortened } from "../../utils/quoted.ts";
import { readableText } from "../../utils/readable.ts";

/** One field of a form that a server wants filled in. */
export interface FormField {
  name: string;
  /** What a person reads: its title, and what the server says about it. */
  label: string;
  kind: "text" | "number" | "integer" | "boolean" | "choice" | "choices";
  /** Of a choice: what may be answered. */
  options: readonly string[];
  required: boolean;
  /** What it is when nobody says otherwise, as a person would type it. */
  proposed?: string;
}

export type FormValue = string | number | boolean | string[];

const MOST_FIELDS = 20;

/** The fields of a form; a sentence where it has one that nobody can fill in. */
export function fieldsOf(schema: unknown): FormField[] | { problem: string } {
  const { properties, required } = recordOf(schema);
  const named = Object.entries(recordOf(properties));
  if (named.length > MOST_FIELDS) return { problem: `the form has ${named.length} fields` };
  const wanted = Array.isArray(required) ? required : [];
  const fields = named.map(([name, given]) => fieldOf(name, recordOf(given), wanted.includes(name)));
  const odd = fields.find((field) => typeof field === "string");
  if (odd !== undefined)
    return { problem: `the field ${odd} of the form is of a kind that Wave does not know` };
  return fields.filter((field) => typeof field !== "string");
}

function fieldOf(name: string, given: Record<string, unknown>, required: boolean): FormField | string {
  const kind = kindOf(given);
  if (kind === undefined) return shortened(onOneLine(name), 60);
  const words = [given["title"], given["description"]].filter((one) => typeof one === "string").join(": ");
  const proposed = given["default"];
  return {
    name,
    label: shortened(onOneLine(readableText(words === "" ? name : words)), 300),
    kind,
    options:
      kind === "boolean" ? ["yes", "no"] : kind === "choices" ? optionsOf(itemsOf(given)) : optionsOf(given),
    required,
    ...(isValue(proposed) && { proposed: asTyped(proposed) }),
  };
}

const KINDS: Readonly<Record<string, FormField["kind"]>> = {
  string: "text",
  number: "number",
  integer: "integer",
  boolean: "boolean",
};

function kindOf(given: Record<string, unknown>): FormField["kind"] | undefined {
  if (optionsOf(given).length > 0) return "choice";
  if (optionsOf(itemsOf(given)).length > 0) return "choices";
  const { type } = given;
  return typeof type === "string" && Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
}

/** Where several may be chosen, what one of them is. */
const itemsOf = ({ type, items }: Record<string, unknown>) =>
  type === "array" ? { type: "string", ...recordOf(items) } : {};

/** As the older and the newer form of the protocol write them. */
function optionsOf(given: Record<string, unknown>): string[] {
  if (given["type"] !== "string") return [];
  const listed = Array.isArray(given["enum"]) ? given["enum"] : [];
  const named = [given["oneOf"], given["anyOf"]].find((one) => Array.isArray(one)) ?? [];
  const titled = named.map((one: unknown) => recordOf(one)["const"]);
  return [...listed, ...titled].filter((one) => typeof one === "string");
}

/** What was typed, as the server wants it; a sentence where it cannot be that. Undefined: left empty. */
export function readField(
  { kind, options, required }: FormField,
  typed: string,
): { value: FormValue | undefined } | { problem: string } {
  const text = typed.trim();
  if (text === "") return required ? { problem: "it has to be filled in" } : { value: undefined };
  switch (kind) {
    case "text":
      return { value: text };
    case "choice": {
      const found = optionIn(options, text);
      return found === undefined
        ? { problem: `it has to be one of ${options.join(", ")}` }
        : { value: found };
    }
    case "choices": {
      const chosen = text.split(",").map((one) => optionIn(options, one.trim()));
      const found = chosen.filter((one) => one !== undefined);
      return found.length < chosen.length
        ? { problem: `they have to be some of ${options.join(", ")}, with commas between them` }
        : { value: [...new Set(found)] };
    }
    case "boolean": {
      if (/^(?:y|yes|true)$/i.test(text)) return { value: true };
      return /^(?:n|no|false)$/i.test(text) ? { value: false } : { problem: "it has to be yes or no" };
    }
    case "number":
    case "integer": {
      const value = Number(text);
      if (!Number.isFinite(value)) return { problem: "it has to be a number" };
      return kind === "integer" && !Number.isInteger(value)
        ? { problem: "it has to be a whole number" }
        : { value };
    }
  }
}

const optionIn = (options: readonly string[], text: string) =>
  options.find((one) => one === text) ?? options.find((one) => one.toLowerCase() === text.toLowerCase());
const isValue = (value: unknown): value is FormValue =>
  Array.isArray(value)
    ? value.every((one) => typeof one === "string")
    : ["string", "number", "boolean"].includes(typeof value);
const asTyped = (value: FormValue) => (typeof value === "boolean" ? (value ? "yes" : "no") : String(value));
const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};
