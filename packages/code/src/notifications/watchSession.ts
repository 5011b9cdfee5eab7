import type { AgentEvent } from "wave-agent-sdk";
import type { SessionController } from "../app/sessionController.ts";
import type { Notifier } from "./notifier.ts";

/** Tells the notifier of turns and of hooks that failed. Questions it hears of from the keyboard. */
export function watchSession(
  { store }: Pick<SessionController, "store">,
  notifier: Pick<Notifier, "works" | "rests" | "hookFailed">,
  listen: (onEvent: (event: AgentEvent) => void) => void,
): Disposable {
  let { turn } = store.state;
  const look = () => {
    const before = turn;
    turn = store.state.turn;
    if (turn.is === "working" && before.is === "idle") notifier.works();
    if (turn.is === "idle" && before.is === "working") notifier.rests(turn.endedBy);
  };
  listen((event) => {
    if (event.type !== "hooks_decided") return;
    const failed = event.record.hooks.find(
      // An interrupt is the person's doing, not the hook's.
      ({ failure, verdict }) => failure !== undefined && verdict !== "interrupted",
    );
    if (failed) notifier.hookFailed(failed.name);
  });
  return { [Symbol.dispose]: store.subscribe(look) };
}
