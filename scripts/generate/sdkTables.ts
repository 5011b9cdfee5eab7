import { readFileSync } from "node:fs";
import { z } from "zod";
import { MODEL_FAILURES } from "../../packages/agent-sdk/src/errors.ts";
import { OPTIONS } from "../../packages/agent-sdk/src/options/optionSchemas.ts";
import { WARNINGS } from "../../packages/agent-sdk/src/session/processWarnings.ts";
import { builtInToolNames } from "../../packages/agent-sdk/src/tools/index.ts";
import { code, table } from "./markdown.ts";

const source = (file: string) =>
  readFileSync(new URL(`../../packages/agent-sdk/src/${file}`, import.meta.url), "utf8");

/** Every option of Agent.create: its values from the schema that checks it, its meaning from the comment at its type. */
export function optionTable(): string {
  const [, types = ""] = source("agentOptions.ts").split("export interface AgentOptions {");
  const rows = Object.entries(OPTIONS).map(([name, schema]) => {
    const meaning = commentBefore(types, `  ${name}?:`);
    if (meaning === "") throw new Error(`The option ${name} has no comment in agentOptions.ts.`);
    const values = name === "env" ? "object" : valuesOf(schema(builtInToolNames()));
    return [code(name), values, meaning];
  });
  return table(["Option", "Value", "Meaning"], rows);
}

/** Every error that Wave throws at a program, from the comments at their classes. */
export function errorTable(): string {
  const text = source("errors.ts");
  const classes = [
    ...text.matchAll(/^export class (\w+) extends WaveError \{\n  readonly code = "(\w+)";/gm),
  ];
  const rows = classes.map(([start, name = "", errorCode = ""]) => [
    code(errorCode),
    code(name),
    commentBefore(text, start.split("\n", 1)[0] ?? start),
  ]);
  return table(["`code`", "Class", "When"], rows);
}

export function failureKindTable(): string {
  const rows = Object.entries(MODEL_FAILURES).map(([detail, { kind, canRetry, means }]) => [
    code(kind),
    code(detail),
    canRetry ? "usually" : "no",
    `${means[0]?.toUpperCase()}${means.slice(1)}.`,
  ]);
  const own = [
    code("internal"),
    "",
    "no",
    "Not the model server's: a mistake of the program around Wave, or of Wave.",
  ];
  return table(["`kind`", "`detail`", "`canRetry`", "What happened"], [...rows, own]);
}

export function warningTable(): string {
  return table(
    ["`code`", "When"],
    Object.entries(WARNINGS).map(([name, meaning]) => [code(name), meaning]),
  );
}

/** The comment that ends right before a line, as one line. */
function commentBefore(text: string, line: string): string {
  const before = text.slice(0, text.indexOf(line)).trimEnd();
  const comment = before.endsWith("*/") ? before.slice(before.lastIndexOf("/**") + 3, -2) : "";
  return comment.replaceAll(/\s*\n\s*\* ?/g, " ").trim();
}

/** Some fields are known only to be refused with a better sentence. */
const isTaken = (schema: z.core.$ZodType) =>
  !(schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodUnknown);

function valuesOf(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodEnum) return schema.options.map((word) => code(String(word))).join(", ");
  if (schema instanceof z.ZodUnion) return schema.options.map(valuesOf).join(", ");
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.core.$ZodType>(schema.shape).filter(([, field]) => isTaken(field));
    return `object: ${fields.map(([name]) => code(name)).join(", ")}`;
  }
  const kinds: [type: abstract new (...args: never[]) => unknown, words: string][] = [
    [z.ZodArray, "list of texts"],
    [z.ZodRecord, "object"],
    [z.ZodBoolean, "true or false"],
    [z.ZodNumber, "number"],
    [z.ZodCustom, "function"],
    [z.ZodString, "text"],
    [z.ZodURL, "address"],
  ];
  const found = kinds.find(([type]) => schema instanceof type);
  if (!found) throw new Error("The table of options has no words for a new kind of value.");
  return found[1];
}
