import type { ToolDescription } from "./request.ts";
import { adapted } from "./adaptations.ts";
import type { ModelCall } from "./provider.ts";
import { withoutRefused } from "./refusedImages.ts";
import { vendorOf, wireMessages, type WireBody, type WireTool } from "./wireMessages.ts";
import { wireName } from "./wireNames.ts";

/** Only what Wave needs: every further field is one more that some server rejects. */
export function requestBody(
  call: Pick<ModelCall, "target" | "messages" | "tools" | "quirks" | "refusedImages">,
): { body: WireBody; leftBehind: boolean } {
  const { target, tools, quirks } = call;
  const shown = withoutRefused(call.messages, call.refusedImages);
  const { messages, leftBehind } = wireMessages(shown, vendorOf(target));
  const body = {
    model: target.model,
    messages,
    // An empty list is an error at OpenAI.
    ...(tools.length > 0 && { tools: tools.map(describe) }),
    stream: true,
    stream_options: { include_usage: true },
  };
  return { body: adapted(body, quirks), leftBehind };
}

/** As text in which no server finds half a character, whatever a file, a tool or an older session had in it. */
export function bodyText(body: WireBody): string {
  return JSON.stringify(body, (_name, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
}

function describe({ name, description, parameters }: ToolDescription): WireTool {
  return { type: "function", function: { name: wireName(name), description, parameters } };
}
