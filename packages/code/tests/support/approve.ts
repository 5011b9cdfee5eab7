import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProjectDir } from "wave-agent-sdk";
import { approvalOf, readProjectTrust } from "../../../agent-sdk/src/workspace/trust/trust.ts";
import { loadSettings } from "../../../agent-sdk/src/workspace/settings/settings.ts";

/** As if a person had looked at the project and said yes. Without waiting, so that a test can start Wave right after. */
export function approve(place: { folder: string; home: string; managedFile?: string }): void {
  const { folder, home } = place;
  const projectDir = findProjectDir(folder, home);
  const settings = loadSettings({ projectDir, home, managedFile: place.managedFile ?? "/nonexistent" });
  const trust = readProjectTrust({
    home,
    projectDir,
    hooks: settings.hooks,
    rules: settings.permissions.rules,
    ofProject: settings.ofProject,
  });
  const reviewed = approvalOf(home, trust);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(
    join(home, "trust.json"),
    JSON.stringify({ folders: { [projectDir]: { since: new Date(0).toISOString(), reviewed } } }),
  );
}
