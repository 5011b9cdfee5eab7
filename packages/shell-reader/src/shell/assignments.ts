import type { Assignment, Command } from "unbash";
import { isPlainVariable } from "../programs/embeddedCommands.ts";
import { ownParts } from "./ownVariables.ts";
import { holdsCommand, reboundByVariable } from "./rebinding.ts";
import { countsIn } from "./arithmeticInjection.ts";
import { ProgramCall } from "../walk/programCall.ts";
import type { Sightings } from "../walk/sightings.ts";
import { valueOf } from "../words/expand.ts";
import { runBecauseOf } from "./stdinSource.ts";
import { inFolders, restored, UNKNOWN, withVariable, type Ends, type Scope } from "./scope.ts";
import { assignedFile, givenFile } from "../programs/writers.ts";

/** `A=x B=y`, alone or in front of a program: notes what they do, and says what is known behind them when they stand alone. */
export function assign(
  node: Command,
  scope: Scope,
  seen: Sightings,
  followText: (text: string) => void,
): Scope {
  const assignments = assignmentsOf(node);
  for (const one of assignments) {
    seen.rebound(reboundByVariable(one.name));
    if (countsIn(one) && valueOf(one, scope).some(holdsCommand))
      seen.rebound("bash runs commands that it finds in numbers");
    const texts = valueOf(one, scope).map((value) => `${one.name}=${value}`);
    const arg = { source: one.text, texts, many: false };
    assignedFile(ProgramCall.bystander(seen, scope), arg);
    if (node.name || scope.exportsAll) givenFile(ProgramCall.bystander(seen, scope), arg);
  }
  if (node.name) for (const one of assignments) editor(one, scope, seen, followText);
  const own = ownParts(node);
  for (const name of own.assigned) seen.assigns(name);
  const other = assignments.find(
    (one) => !own.assignments.includes(one) && !(node.name && isPlainVariable(one)),
  );
  if (other) seen.because("changes", `it sets the variable ${other.name}`);
  return assignments.reduce((known, one) => withVariable(known, one.name, valueOf(one, known)), scope);
}

/** Variables for one program do not reach the line, but they reach the program: where it then works. */
export function placeOfProgram(node: Command, scope: Scope, seen: Sightings): Scope {
  const assignments = assignmentsOf(node);
  const strange = assignments.some(({ name }) =>
    /^(GIT_|HOME$|PWD$|TMPDIR$|TAR_OPTIONS$|LD_|BASH_ENV$|ENV$|PATH$)/.test(name),
  );
  if (strange) seen.unclear("it sets variables that change what a program does");
  const known = assignments.reduce((all, one) => withVariable(all, one.name, valueOf(one, all)), scope);
  return assignments.some(({ name }) => /^GIT_|^CDPATH$/.test(name)) ? inFolders(known, UNKNOWN) : known;
}

/** What is known behind a command that variables stood in front of. */
export function behindPrefix(node: Command, ends: Ends, place: Scope, scope: Scope): Ends {
  const names = assignmentsOf(node).map(({ name }) => name);
  const behind = (end: Scope) => (end === place ? scope : restored(end, names, scope));
  return { ok: behind(ends.ok), failed: behind(ends.failed) };
}

function assignmentsOf({ prefix }: Command): Assignment[] {
  return prefix.filter((part) => part.type === "Assignment");
}

/** `GIT_EDITOR=x git commit`: git hands x to a shell. */
function editor(one: Assignment, scope: Scope, seen: Sightings, followText: (text: string) => void): void {
  const run = runBecauseOf(one.name, valueOf(one, scope));
  if (run?.text !== undefined) followText(run.text);
  else seen.rebound(run?.why);
}
