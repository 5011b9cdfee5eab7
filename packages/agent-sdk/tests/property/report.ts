import { EVENTS, type PlannedHook } from "./generate.ts";
import type { Played } from "./playAndCompare.ts";
import type { Event } from "./reference.ts";

/** A failed scenario for a reader: the differences, the hooks, one line each, what was expected and what came. */
export function report({ scenario, expected, seen, wrong }: Played, again: string): string {
  const { gate, defaults, call } = scenario;
  const said = Object.entries(expected).filter(([, value]) =>
    JSON.stringify(value)?.replace(/^(\[\]|\{\}|false)$/, ""),
  );
  const text = [
    ...wrong.map((line) => `✗ ${line}`),
    "",
    `mode ${gate.mode}, answer ${gate.answer}, rules ${JSON.stringify(gate.rules)}`,
    `hookDefaults ${JSON.stringify(defaults)}`,
    `call ${call.tool} ${JSON.stringify(call.input)}`,
    ...EVENTS.flatMap((event) => scenario.hooks[event].map((hook) => hookLine(event, hook))),
    "",
    "Expected:",
    ...said.map(([key, value]) => `  ${key} ${JSON.stringify(value)}`),
    "",
    `Got: ended ${seen.end.because} (${seen.end.reason ?? ""})`,
    ...seen.messages.map((message) => `  ${message.role} ${JSON.stringify(message.blocks)}`),
    "",
    `Run it again with ${again}`,
  ].join("\n");
  return text.replaceAll(/,"(origin|metadata)":\{[^{}]*\}/g, "");
}

function hookLine(event: Event, hook: PlannedHook): string {
  const says = JSON.stringify(hook.says);
  const again = JSON.stringify(hook.saysAgain);
  const second = event === "PreToolUse" && again !== says ? ` then ${again}` : "";
  const matcher = hook.matches ? "" : `, matcher ${hook.matcher} does not match`;
  const entries = hook.entries
    .map((entry) => `${entry.in}, onError ${JSON.stringify(entry.onError)}`)
    .join("; also in ");
  return `${event} ${hook.name} (${entries}${matcher}) ${says}${second}`;
}
