import { approveProject, needsReview, readProjectTrust, type Settings } from "wave-agent-sdk";
import type { SessionFlags } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { Appearance } from "../components/Appearance.tsx";
import { TrustReview, type TrustAnswer } from "../components/TrustReview.tsx";
import { isPlain, themeFor } from "../theme.ts";
import type { Interruption } from "./interruption.ts";
import { projectDir, shownFolder, waveHome } from "./places.ts";
import type { Stage } from "./stage.tsx";

/**
 * Asks about a project whose files bring something that nobody approved. Before the answer nothing of it has run, nothing
 * was sent anywhere, and git was not started (T37, G16). "no": the session goes on without it.
 */
export async function reviewProject(
  {
    settings,
    flags,
    stage,
    interruption,
  }: {
    settings: Settings;
    flags: SessionFlags;
    stage: Stage;
    interruption: Interruption;
  },
  around: Surroundings,
): Promise<TrustAnswer> {
  const home = waveHome(around.env);
  const trust = readProjectTrust({
    home,
    projectDir: projectDir(around),
    // Hooks that are left out on purpose need no yes.
    hooks: flags.hookScope === "all" ? settings.hooks : [],
    rules: settings.permissions.rules,
    ofProject: settings.ofProject,
  });
  if (!needsReview(trust) || trust.sha256 === flags.trustHooks) return "yes";
  const { promise, resolve } = Promise.withResolvers<TrustAnswer>();
  interruption.onNext(() => resolve("leave"));
  stage.show(
    <Appearance theme={themeFor(around.env)} plain={isPlain(around.env)}>
      <TrustReview trust={trust} folder={shownFolder(trust.projectDir)} onAnswer={resolve} />
    </Appearance>,
  );
  const answer = await promise;
  if (answer === "yes") await approveProject(home, trust, new Date());
  return answer;
}
