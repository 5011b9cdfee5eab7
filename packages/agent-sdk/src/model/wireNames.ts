import { sha256 } from "../utils/sha256.ts";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const ID = /^[\x21-\x7e]{1,40}$/;

/**
 * A tool's name as every server takes it. A model may call what no server lets anybody say again ("functions.Bash", nothing, half
 * a character): the same name is always made the same, and two never become one.
 */
export function wireName(name: string): string {
  if (NAME.test(name)) return name;
  const readable = name.replaceAll(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 40);
  return `${readable || "unnamed"}_${sha256(name).slice(0, 8)}`;
}

/** A call's id as every server takes it. `repeats`: how many calls before it had the same. */
export function wireId(id: string, repeats: number): string {
  return repeats === 0 && ID.test(id) ? id : `call_${sha256(`${repeats} ${id}`).slice(0, 32)}`;
}

/** An id of letters, digits, "_" and "-", which is all that some servers take. */
export function plainId(id: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(id) ? id : `call_${sha256(id).slice(0, 32)}`;
}

/** An id of nine letters and digits, as Mistral and the templates of its models want it. */
export function nineLetterId(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : sha256(id).slice(0, 9);
}
