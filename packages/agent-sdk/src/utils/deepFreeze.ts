import { isPlainObject } from "./kindOfValue.ts";

/** As it is given to somebody who may look at it and not change it. */
export type DeepReadonly<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/**
 * Makes plain data unchangeable, with all that is in it: what is handed out can then be the thing itself and not a copy. What is
 * frozen already is taken to be so throughout, so a list of ten thousand messages costs only what is new in it.
 */
export function deepFreeze<T>(value: T): T {
  const open: unknown[] = [value];
  // With a list of its own, because a model can nest its arguments deeper than a program can call.
  for (let item = open.pop(); item !== undefined || open.length > 0; item = open.pop()) {
    if (typeof item !== "object" || item === null || Object.isFrozen(item)) continue;
    if (!Array.isArray(item) && !isPlainObject(item)) continue;
    Object.freeze(item);
    open.push(...(Array.isArray(item) ? item : Object.values(item)));
  }
  return value;
}
