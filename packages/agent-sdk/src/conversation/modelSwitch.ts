import type { Session } from "../session/session.ts";
import type { Conversation } from "./conversation.ts";

/** Another model for the requests that follow. Hooks are told, and nobody waits for them. */
export function switchModel(session: Session, { pipeline, gauge }: Conversation, wanted: string): void {
  const { model, entrypoint } = session;
  const from_model = model.name ?? "";
  model.choose(wanted);
  const to_model = model.name ?? wanted;
  if (to_model === from_model) return;
  pipeline.performAside("PostModelSwitch", {
    from_model,
    to_model,
    requested_model: wanted,
    source: entrypoint === "terminal" ? "command" : "sdk",
    context_tokens: gauge.shown.tokens ?? null,
  });
}
