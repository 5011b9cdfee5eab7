import { EVENTS, type PlannedHook, type Scenario } from "./generate.ts";
import type { Seen } from "./play.ts";
import type { Expected } from "./referenceTurn.ts";

/** A failed scenario for a reader: the hooks, one line each, then what was expected and what came. */
export function report(
  failed: { scenario: Scenario; expected: Expected; seen: Seen; wrong: string[] },
  again: string,
): string {
  const { scenario, expected, seen, wrong } = failed;
  const { gate, call } = scenario;
  return [
    ...wrong.map((line) => `✗ ${line}`),
    "",
    `mode ${gate.mode}, answer ${gate.answer}, rules ${JSON.stringify(gate.rules)}`,
    `call ${call.tool} ${JSON.stringify(call.input)}`,
    ...EVENTS.flatMap((event) => scenario.hooks[event].map((hook) => `${event} ${hookLine(hook)}`)),
    "",
    `expected ${JSON.stringify(expected, undefined, 1)}`,
    "",
    `ended ${seen.end.because} (${seen.end.reason ?? ""})`,
    ...seen.messages.map((message) => `${message.role} ${JSON.stringify(message.blocks)}`),
    "",
    `Run it again with ${again}`,
  ].join("\n");
}

function hookLine(hook: PlannedHook): string {
  const says = JSON.stringify(hook.says);
  const again = JSON.stringify(hook.saysAgain);
  const matcher = hook.matches ? "" : `, matcher ${hook.matcher} does not match`;
  const repeated = hook.repeated
    ? `, also in ${hook.repeated.source} with onError ${hook.repeated.onError}`
    : "";
  return `${hook.name} (${hook.source}, onError ${hook.ownOnError}${repeated}${matcher}) ${says}${again === says ? "" : ` then ${again}`}`;
}
