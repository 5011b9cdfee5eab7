import { describeProblem, type SessionError } from "wave-agent-sdk";
import type { SessionFlags } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import type { ChosenSession } from "../panels/refusedSession.ts";
import { notifierFor } from "./notifierFor.ts";
import { printable } from "../utils/printable.ts";
import { chooseInstead } from "./chooseInstead.tsx";
import { EarlyDraft } from "./earlyDraft.ts";
import { exitStatus } from "./exitStatus.ts";
import type { Interruption } from "./interruption.ts";
import { modelIn, useLocalModel, type UsableModel } from "./model.ts";
import { fatalProblems, readSettings } from "./readSettings.ts";
import { reviewProject } from "./reviewProject.tsx";
import { runSession, type Wanted } from "./runSession.tsx";
import type { ScreenStart } from "./screenStart.ts";
import type { Stage } from "./stage.tsx";

/** What the screen of Wave was started with. `stage` already shows the first frame. */
export interface ScreenRun extends ScreenStart {
  stage: Stage;
  interruption: Interruption;
}

/** One session after the other, until the person leaves. */
export async function runInteractive(
  { flags, prompt, model: chosen, stage, interruption }: ScreenRun,
  around: Surroundings,
): Promise<number> {
  const complain = (text: string) => {
    stage.clear();
    around.stderr.write(printable(`wave: ${text}\n`));
  };
  const settings = readSettings(flags.settingsFile, around);
  const fatal = fatalProblems(settings);
  if (fatal.length > 0) {
    for (const problem of fatal) complain(describeProblem(problem));
    return exitStatus({ settingsFailed: true });
  }
  using notifier = notifierFor(settings, around);
  stage.notifyWith(notifier);
  let early = new EarlyDraft(stage.keys, around);
  // Before a model server is looked for: nothing is sent anywhere on behalf of a folder that nobody approved.
  const trusted = await reviewProject({ settings, flags, stage, interruption }, around);
  if (trusted === "leave") {
    early.keep();
    return exitStatus({ endedBy: interruption.signal });
  }
  const model: UsableModel = chosen
    ? { usable: true, choice: chosen }
    : await useLocalModel(modelIn(settings, flags, around.env), complain);
  if (!model.usable) {
    complain(model.problem);
    return exitStatus({ failed: true });
  }
  let wanted: Wanted = {
    flags,
    model: model.choice,
    prompt: prompt === undefined ? undefined : { text: prompt, goes: "to-model" },
    carried: undefined,
  };
  /** Where the person was before they wanted another session. */
  let before: ChosenSession | undefined;
  for (;;) {
    const left = await runSession({ ...wanted, stage, notifier, interruption, early, complain }, around);
    if (left.to === "failed") return left.status;
    if (left.to === "exit") return exitStatus({ endedBy: interruption.signal });
    if (left.to === "new-session") {
      const { carried } = left;
      wanted = {
        flags: { ...flags, permissionMode: carried.mode, resume: undefined, fork: false },
        model: { ...model.choice, ...(carried.model === undefined ? {} : { model: carried.model }) },
        prompt: undefined,
        carried,
      };
    } else if (left.to === "session") {
      const { carried } = left;
      before = { id: left.from, as: "itself" };
      wanted = {
        // Nobody who reads in plan mode expects that going to another session lets the model write.
        flags: goingOnWith(left, { ...flags, permissionMode: carried.mode }),
        model: model.choice,
        prompt: undefined,
        carried,
      };
    } else {
      early = new EarlyDraft(stage.keys, around);
      const chosen = await instead(left.error, before, { stage, interruption }, around);
      if (chosen === undefined) {
        early.keep();
        complain(left.error.message);
        return exitStatus({ endedBy: interruption.signal, failed: true });
      }
      // Where they were is tried once: if that is gone as well, the next no leaves.
      if (chosen === before) before = undefined;
      // A copy is what the prompt was meant for; in any other session it is the person who sends it.
      const goes = chosen.as === "copy" ? "to-model" : "to-input";
      wanted = {
        ...wanted,
        flags: goingOnWith(chosen, wanted.flags),
        carried: wanted.carried && { ...wanted.carried, to: "session" },
        prompt: wanted.prompt && { ...wanted.prompt, goes },
      };
    }
  }
}

const goingOnWith = ({ id, as }: ChosenSession, flags: SessionFlags): SessionFlags => ({
  ...flags,
  resume: id,
  fork: as === "copy",
});

/** What to go on with instead of a session that cannot be opened; undefined: Wave ends. */
async function instead(
  error: SessionError,
  before: ChosenSession | undefined,
  on: { stage: Stage; interruption: Interruption },
  around: Surroundings,
): Promise<ChosenSession | undefined> {
  // Somebody who mistyped an id corrects it where they typed it.
  if (before === undefined && error.copyOf === undefined) return undefined;
  const chosen = await chooseInstead(error, on, around);
  if (chosen !== "leave") return chosen;
  return on.interruption.signal ? undefined : before;
}
