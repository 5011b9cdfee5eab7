import { basename } from "node:path";
import type { Settings } from "wave-agent-sdk";
import type { Surroundings } from "../cli/surroundings.ts";
import { Notifier } from "../notifications/notifier.ts";
import { abilityOf, type TerminalAbility } from "../notifications/terminals.ts";
import { projectDir } from "./places.ts";

type ScreenSettings = Pick<Settings, "notifications" | "windowTitle">;

/** As the person wants it, as far as their terminal can do it. */
export function notifierFor(settings: ScreenSettings, around: Pick<Surroundings, "cwd" | "env">): Notifier {
  const notifier = new Notifier({
    write: (bytes) => void process.stdout.write(bytes),
    project: basename(projectDir(around)),
    ...wantedOf(settings, around.env),
  });
  // Also when Wave fails in a way that nobody has thought of.
  process.once("exit", () => notifier.close());
  return notifier;
}

/** Whoever names a sequence knows more of their terminal than its name says; a dumb one gets nothing. */
export function wantedOf(
  { notifications, windowTitle }: ScreenSettings,
  env: Surroundings["env"],
): TerminalAbility {
  const { notifies, hasTitle } = abilityOf(env);
  const chosen = notifications === "auto" ? notifies : notifications;
  return {
    notifies: notifies === undefined || chosen === "off" ? undefined : chosen,
    hasTitle: windowTitle && hasTitle,
  };
}
