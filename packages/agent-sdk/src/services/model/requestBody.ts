import type { ToolDescription } from "../aiService.ts";
import { serverText } from "./serverWords.ts";
import type { ModelCall, NamedTarget, Quirk } from "./provider.ts";
import { withoutRefused } from "./refusedImages.ts";

/** Only what Wave needs: every further field is one more that some server rejects. */
export function requestBody(
  call: Pick<ModelCall, "target" | "messages" | "tools" | "quirks" | "refusedImages">,
): Record<string, unknown> {
  const { target, tools, quirks } = call;
  return {
    model: target.model,
    messages: withoutRefused(call.messages, call.refusedImages),
    // An empty list is an error at OpenAI.
    ...(tools.length > 0 && { tools: tools.map(describe) }),
    ...(tools.length > 0 && quirks.has("no-reasoning-with-tools") && { reasoning_effort: "none" }),
    stream: true,
    ...(!quirks.has("no-stream-options") && { stream_options: { include_usage: true } }),
  };
}

function describe({ name, description, parameters }: ToolDescription): Record<string, unknown> {
  return { type: "function", function: { name, description, parameters } };
}

/** A rejection that is about one field, and that goes away without it. */
export function quirkOf(body: string): Quirk | undefined {
  const text = serverText(body);
  if (/stream_options|include_usage/.test(text)) return "no-stream-options";
  if (/function tools with reasoning_effort/i.test(text)) return "no-reasoning-with-tools";
  return undefined;
}

/** What the user should know about it: without usage nothing is lost that they asked for, without reasoning much is. */
export function quirkNotice(quirk: Quirk, target: Pick<NamedTarget, "model">): string | undefined {
  if (quirk !== "no-reasoning-with-tools") return undefined;
  return `The model "${target.model}" takes tools over this protocol only without reasoning; asking again with reasoning_effort "none".`;
}
