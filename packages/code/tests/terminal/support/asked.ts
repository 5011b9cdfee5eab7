import type { ScriptedMessage, ScriptedRequest } from "wave-agent-sdk/testing";

/** What the person said last, as the model server got it. */
export function askedIn({ body }: Pick<ScriptedRequest, "body">): string {
  return textOf(body.messages.findLast(({ role }) => role === "user"));
}

export function textOf(message: ScriptedMessage | undefined): string {
  return typeof message?.content === "string" ? message.content : JSON.stringify(message?.content ?? "");
}
