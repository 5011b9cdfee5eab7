import { ASKING_MUTANTS } from "./lists/asking.ts";
import { BOUNDARY_MUTANTS } from "./lists/boundaries.ts";
import { GATE_MUTANTS } from "./lists/gate.ts";
import { HOOK_MUTANTS } from "./lists/hooks.ts";
import { KEEPING_MUTANTS } from "./lists/keeping.ts";
import { PERMISSION_MUTANTS } from "./lists/permissions.ts";
import { PROCESS_MUTANTS } from "./lists/processes.ts";
import { TURN_MUTANTS } from "./lists/turn.ts";
import type { Mutant } from "./mutant.ts";

/** Mistakes that once went unnoticed, and others like them. */
export const MUTANTS: readonly Mutant[] = [
  ...HOOK_MUTANTS,
  ...PERMISSION_MUTANTS,
  ...GATE_MUTANTS,
  ...TURN_MUTANTS,
  ...ASKING_MUTANTS,
  ...BOUNDARY_MUTANTS,
  ...KEEPING_MUTANTS,
  ...PROCESS_MUTANTS,
];
