import { branchOf } from "../app/branch.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { isPlain, themeFor } from "../theme.ts";
import { mayNeedReview } from "wave-agent-sdk";
import { FirstFrame } from "./firstFrame.tsx";
import { Interruption } from "./interruption.ts";
import { projectDir, shownFolder } from "./places.ts";
import type { ScreenStart } from "./screenStart.ts";
import { keyRouter, Stage } from "./stage.tsx";

/**
 * The terminal UI. Its first frame comes before everything that it does not show: agent, settings and most of the screen are
 * loaded behind it. Whatever this file imports is paid for by every start.
 */
export async function runScreen(run: ScreenStart, around: Surroundings): Promise<number> {
  using interruption = new Interruption(around.signals, () => {});
  const { env } = around;
  const stage = new Stage(keyRouter(around, () => interruption.raise("SIGINT")));
  const folder = projectDir(around);
  stage.show(
    <FirstFrame
      theme={themeFor(env)}
      plain={isPlain(env)}
      shownFolder={shownFolder(around.cwd)}
      branch={branchOf(folder)}
      isReviewed={mayNeedReview(folder)}
      model={run.model?.model ?? run.flags.model ?? env["WAVE_MODEL"]}
      mode={run.flags.permissionMode ?? "default"}
    />,
  );
  try {
    const { runInteractive } = await import("./interactive.ts");
    return await runInteractive({ ...run, stage, interruption }, around);
  } finally {
    await stage.close();
  }
}
