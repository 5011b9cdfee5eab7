import type { ParameterExpansionPart, Redirect, SyntaxNode } from "unbash";
import type { Silent } from "../grammar/grammar.ts";
import { isPlainVariable, PROGRAM_VARIABLE } from "../programs/embeddedCommands.ts";
import { isComputedValue, isSpelledOut } from "../words/computedNames.ts";
import { isNumber, namesInSum } from "../shell/ownVariables.ts";
import { reboundByExpansion, reboundByFunction, reboundByVariable } from "../shell/rebinding.ts";
import { examineCommand } from "./commands.ts";
import { COMPUTES, note, type Findings } from "./findings.ts";
import { literal, plainWord, readWord } from "../words/words.ts";
import { countsIn, EVALUATING_TESTS } from "../shell/arithmeticInjection.ts";

/** What a node says about the line on its own. */
export function examine(node: SyntaxNode, found: Findings): void {
  switch (node.type) {
    case "Script": {
      const error = node.errors?.[0];
      if (error) found.doubts.push(`bash would not read it as it is read here (${error.message})`);
      return;
    }
    case "Command":
      return examineCommand(node, found);
    case "Redirect":
      return examineRedirect(node, found);
    case "HereString":
      if (node.target) found.inputs.push(readWord(node.target));
      return;
    case "HereDoc":
      found.inputs.push(plainWord(node.body.text));
      return;
    case "ParameterExpansion":
      return examineExpansion(node, found);
    case "ExtendedGlob":
      // bash reads this differently depending on an option that is off in scripts.
      found.doubts.push(`${node.text} is read in two ways`);
      return;
    case "Assignment":
      note(found.anything, reboundByVariable(node.name));
      if (found.own.has(node) && node.value.type !== "ArrayValue" && isNumber(node.value))
        found.numbers.add(node.name);
      else {
        found.texts.add(node.name);
        if (isComputedValue(node)) found.computed.add(node.name);
      }
      if (countsIn(node)) found.doubts.push(COMPUTES);
      if (PROGRAM_VARIABLE.test(node.name ?? ""))
        found.doubts.push(`the variable ${node.name} tells programs what to run`);
      if (!found.own.has(node) && !isPlainVariable(node))
        found.sideEffects.push(`it sets the variable ${node.name}`);
      return;
    case "FileDescriptorVariable":
      if (countsIn(node)) found.doubts.push(COMPUTES);
      found.sideEffects.push(`it sets the variable ${node.name}`);
      return;
    case "ArithmeticExpansion": {
      const names = namesInSum(node.expression);
      if (!names) found.doubts.push(COMPUTES);
      for (const name of names ?? []) found.counted.add(name);
      return;
    }
    case "ArithmeticCommand":
    case "ArithmeticFor":
    case "ArrayValue":
      if (countsIn(node)) found.doubts.push(COMPUTES);
      return;
    case "TestUnary":
    case "TestBinary":
      if (EVALUATING_TESTS.has(node.operator))
        found.doubts.push(`[[ … ${node.operator} … ]] evaluates its operands`);
      return;
    case "Function":
      note(found.anything, reboundByFunction(node.name.value));
      found.sideEffects.push("it defines a function");
      return;
    case "Coproc":
      if (countsIn(node)) found.doubts.push(COMPUTES);
      found.sideEffects.push("it starts a coprocess");
      return;
    case "For":
    case "Select":
      if (countsIn(node)) found.doubts.push(COMPUTES);
      note(found.anything, reboundByVariable(node.name.value));
      if (!node.wordlist?.every(isSpelledOut)) found.computed.add(node.name.value);
      (node.wordlist?.every(isNumber) ? found.numbers : found.texts).add(node.name.value);
      // A loop over PATH or http_proxy would change what the commands in it do; a plain lower-case word is never exported.
      if (node.type === "Select" || !/^[a-z][a-z0-9]*$/.test(node.name.value)) {
        found.sideEffects.push(`it sets the variable ${node.name.value}`);
      }
      return;
    default:
      node satisfies Silent;
  }
}

function examineRedirect(redirect: Redirect, found: Findings): void {
  const target = redirect.target ? literal(readWord(redirect.target)) : undefined;
  const name = redirect.target?.text ?? "";
  switch (redirect.operator) {
    case ">&":
    case "<&":
      // Where it is no number, bash expands it once more: `>& '$(x)'` runs x.
      if (target === undefined || /[$`]/.test(target)) found.doubts.push(`bash may run what ${name} becomes`);
      else if (!/^(\d+-?|-)$/.test(target)) found.sideEffects.push(`it redirects to ${name}`);
      return;
    case "<":
      // bash opens a network connection for these two.
      if (target === undefined || /^\/dev\/(tcp|udp)\//.test(target))
        found.sideEffects.push(`it reads from ${name}`);
      return;
    default:
      if (target !== "/dev/null")
        (target === undefined ? found.sideEffects : found.written).push(`it writes to ${name}`);
  }
}

/** `${x}`, `${#x}`, `${x:-y}`, `${x%y}` only read. The others can assign, or run what a variable holds. */
const READING_OPERATIONS = new Set(["Default", "Remove", "Replace", "CaseModification"]);

function examineExpansion(part: ParameterExpansionPart, found: Findings): void {
  const { operation } = part;
  note(found.anything, reboundByExpansion(part));
  // How the parts of the last pipe ended: numbers, set by bash alone.
  if (/^\$\{PIPESTATUS\[(\d+|@|\*)\]\}$/.test(part.text)) return;
  const assigns = operation?.type === "Default" && operation.operator.endsWith("=");
  const reads = !operation || READING_OPERATIONS.has(operation.type);
  if (assigns || !reads || part.prefix === "!" || part.index) {
    found.doubts.push(`the expansion ${part.text} can assign or run`);
  }
}
