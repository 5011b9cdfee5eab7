import { COMPILED } from "./compiled.ts";
import { JAVASCRIPT } from "./javascript.ts";
import { PYTHON } from "./python.ts";
import type { ProgramRow } from "./row.ts";
import { SCRIPTING } from "./scripting.ts";
import { SERVICES } from "./services.ts";
import { TOOLS } from "./tools.ts";

export const PROGRAM_ROWS: readonly ProgramRow[] = [
  ...TOOLS,
  ...JAVASCRIPT,
  ...PYTHON,
  ...COMPILED,
  ...SCRIPTING,
  ...SERVICES,
];

const BY_NAME = new Map(PROGRAM_ROWS.flatMap((row) => row.names.map((name) => [name, row] as const)));

export const rowOf = (program: string | undefined): ProgramRow | undefined =>
  program === undefined ? undefined : BY_NAME.get(program);
