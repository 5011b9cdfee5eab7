import { findLocalModel } from "wave-agent-sdk";
import type { SessionFlags } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { Appearance } from "../components/Appearance.tsx";
import { FirstStart } from "../components/FirstStart.tsx";
import type { FirstChoice } from "../panels/firstStart.ts";
import { isPlain, themeFor } from "../theme.ts";
import { printable } from "../utils/printable.ts";
import { EarlyDraft } from "./earlyDraft.ts";
import { exitStatus } from "./exitStatus.ts";
import { Interruption } from "./interruption.ts";
import { findModel, type ModelChoice } from "./model.ts";
import { keyRouter, Stage } from "./stage.tsx";

/** What the person wants who has no model: the caller does it. */
export type FirstStep =
  | { to: "demo" }
  | { to: "session"; model: ModelChoice }
  | { to: "exit"; status: number };

/** Says what to set and offers what works without it. Nothing has been sent anywhere, and no hook has run. */
export async function runFirstStart(flags: SessionFlags, around: Surroundings): Promise<FirstStep> {
  const model = findModel(flags, around);
  // Somebody who named a server does not want another one.
  const local = model.found === "no-key" ? await findLocalModel() : undefined;
  const named = local && { ...local, model: flags.model ?? local.model };
  using interruption = new Interruption(around.signals, () => {});
  const stage = new Stage(keyRouter(around, () => interruption.raise("SIGINT")));
  const early = new EarlyDraft(stage.keys, around);
  const { promise, resolve } = Promise.withResolvers<FirstChoice>();
  interruption.onNext(() => resolve("leave"));
  stage.show(
    <Appearance theme={themeFor(around.env)} plain={isPlain(around.env)}>
      <FirstStart
        facts={{
          version: around.version,
          problem: model.found === "unusable" ? model.problem : undefined,
          local: named && { server: named.server, model: named.model, address: new URL(named.baseUrl).host },
        }}
        onChoose={resolve}
      />
    </Appearance>,
  );
  const choice = await promise;
  stage.clear();
  early.keep();
  if (choice === "demo") return { to: "demo" };
  if (choice === "local" && named)
    return { to: "session", model: { baseUrl: named.baseUrl, model: named.model } };
  // The screen is gone; what to set should not be.
  if (model.found !== "configured") around.stderr.write(printable(`wave: ${model.problem}\n`));
  return { to: "exit", status: exitStatus({ endedBy: interruption.signal }) };
}
