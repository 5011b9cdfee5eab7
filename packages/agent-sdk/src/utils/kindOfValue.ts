import { quoted } from "./quoted.ts";

/** For "not …" in a sentence: what a value is, without a word of it that is long. */
export function kindOfValue(value: unknown): string {
  if (typeof value === "string") return value === "" ? "an empty text" : quoted(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof RegExp) return `the regular expression ${quoted(String(value))}`;
  const name = classOf(value);
  if (name === "Object") return "an object";
  return `${/^[AEIOU]/i.test(name) ? "an" : "a"} ${name}`;
}

/** "Object", "Promise", "Map", or the name of its class. */
export function classOf(value: object): string {
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (tag !== "Object" || isPlainObject(value)) return tag;
  const { constructor } = value;
  return typeof constructor === "function" && /^\w+$/.test(constructor.name) ? constructor.name : tag;
}

/** An object as one writes it down with braces; also one of another realm, without a prototype, or all names of a module. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
