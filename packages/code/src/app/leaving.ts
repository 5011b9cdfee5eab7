import type { ChosenSession } from "../panels/refusedSession.ts";

/** How a person left the screen, and what they want instead. */
export type Leaving = { to: "exit" } | { to: "new-session" } | ({ to: "session" } & ChosenSession);
