import { resolve } from "node:path";
import {
  deniedCalls,
  describeProblem,
  listRules,
  personHome,
  recentDecisions,
  ruleUse,
  sessionsDirFor,
} from "wave-agent-sdk";
import type { Invocation } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { projectDir, waveHome } from "../modes/places.ts";
import { fatalProblems, readSettings } from "../modes/readSettings.ts";
import { DENIED_SHOWN, permissionRows, permissionText, RECENT_SESSIONS } from "../panels/permissions.ts";
import { printable, printableJson } from "../utils/printable.ts";

/** `wave permissions`: every rule with its file, what it matched lately, and what was denied lately. */
export async function runPermissions(
  { json, settingsFile }: Extract<Invocation, { run: "permissions" }>,
  around: Surroundings,
): Promise<number> {
  const settings = readSettings(settingsFile, around);
  for (const problem of fatalProblems(settings))
    around.stderr.write(printable(`wave: ${describeProblem(problem)}\n`));
  const place = { home: waveHome(around.env), projectDir: projectDir(around) };
  const rules = listRules(settings, {
    ...place,
    personHome: personHome(around.env),
    ...(settingsFile === undefined ? {} : { extraFile: resolve(around.cwd, settingsFile) }),
  });
  const recent = await recentDecisions(sessionsDirFor(place.home, place.projectDir), RECENT_SESSIONS);
  const status = fatalProblems(settings).length > 0 ? 78 : 0;
  if (json) {
    around.stdout.write(
      `${printableJson({
        rules: rules.map((rule) => ({ ...rule, matched: ruleUse(rule, recent.decisions) })),
        denied: deniedCalls(recent.decisions).slice(0, DENIED_SHOWN),
        sessions: recent.sessions,
      })}\n`,
    );
    return status;
  }
  const now = Date.now();
  const lines = permissionText(permissionRows(rules, recent, now), {
    folder: place.projectDir,
    now,
    sessions: recent.sessions,
  });
  around.stdout.write(printable(`${lines.join("\n")}\n`));
  return status;
}
