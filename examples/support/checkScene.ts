import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedRequest } from "wave-agent-sdk/testing";
import type { CallExpectation, Scene } from "./hookExample.ts";
import type { PlayedScene } from "./playScene.ts";

/** Everything in which a played scene differs from what it says must happen; nothing is left to be found later. */
export function differences({ model, expect }: Scene, played: PlayedScene): string[] {
  const toModel = played.requests.flatMap(textsToModel).join("\n");
  const toUser = textsToUser(played).join("\n");
  const { end = "done", calls = [], files = {} } = expect;
  return [
    ...(played.end.because === end
      ? []
      : [`the turn ended: ${played.end.because} (${played.end.reason ?? "no reason"}), not: ${end}`]),
    ...(played.requests.length === model.length
      ? []
      : [`the model was asked ${played.requests.length} times, not ${model.length}`]),
    ...differencesOfCalls(calls, played),
    ...(expect.toModel ?? [])
      .filter((text) => !toModel.includes(text))
      .map((text) => `the model was not told: ${text}`),
    ...(expect.notToModel ?? [])
      .filter((text) => toModel.includes(text))
      .map((text) => `the model was told: ${text}`),
    ...(expect.toUser ?? [])
      .filter((text) => !toUser.includes(text))
      .map((text) => `the user was not told: ${text}, but: ${toUser || "nothing"}`),
    ...(expect.notInSession ?? [])
      .filter((text) => readFileSync(played.sessionFile, "utf8").includes(text))
      .map((text) => `the session file holds: ${text}`),
    ...Object.entries(files).flatMap(([path, text]) => differenceOfFile(join(played.project, path), text)),
    ...hookTroubles(played),
  ];
}

function differencesOfCalls(
  expected: readonly CallExpectation[],
  { messages, events }: PlayedScene,
): string[] {
  const blocks = messages.flatMap((message) => message.blocks).filter((block) => block.type === "tool");
  const inputs = new Map(
    events.flatMap((event) =>
      event.type === "tool_started" ? [[event.toolUseId, event.input] as const] : [],
    ),
  );
  const count =
    blocks.length === expected.length ? [] : [`there were ${blocks.length} calls, not ${expected.length}`];
  const wrong = expected.flatMap(({ ran, result, command }, index) => {
    const block = blocks[index];
    if (!block) return [];
    const what = `call ${index + 1} (${block.name} ${block.parameters})`;
    const input = inputs.get(block.id);
    return [
      ...((input !== undefined) === ran ? [] : [`${what} ${ran ? "did not run" : "ran"}: ${block.result}`]),
      ...(result === undefined || block.result?.includes(result)
        ? []
        : [`${what} was answered with: ${block.result}, not: ${result}`]),
      ...(command === undefined || input?.["command"] === command
        ? []
        : [`${what} ran as ${JSON.stringify(input)}, not as ${command}`]),
    ];
  });
  return [...count, ...wrong];
}

function differenceOfFile(path: string, text: string): string[] {
  if (!existsSync(path)) return [`${path} does not exist`];
  const found = readFileSync(path, "utf8");
  return found.includes(text) ? [] : [`${path} does not hold ${text}, but ${found}`];
}

/** A hook that crashed looks like one that agreed, and a setting that is reported may not act: neither is an example. */
function hookTroubles({ events }: PlayedScene): string[] {
  return events.flatMap((event) => {
    if (event.type === "notice" && event.level !== "info") return [`Wave said: ${event.text}`];
    if (event.type !== "hooks_decided") return [];
    return event.record.hooks.flatMap((hook) =>
      hook.failure === undefined ? [] : [`hook ${hook.name} could not decide: ${hook.failure}`],
    );
  });
}

/** Without the system prompt, which knows some things (the branch, say) without any hook. */
function textsToModel({ body }: ScriptedRequest): string[] {
  return body.messages
    .filter((message) => message.role !== "system")
    .flatMap(({ content }) =>
      typeof content === "string" ? [content] : (content ?? []).map((part) => part.text ?? ""),
    );
}

function textsToUser({ messages }: PlayedScene): string[] {
  return messages.flatMap((message) =>
    message.blocks.flatMap((block) =>
      block.type === "error" || block.type === "warn" ? [block.content] : [],
    ),
  );
}
