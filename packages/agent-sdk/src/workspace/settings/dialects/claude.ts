import { hooksIn } from "../countHooks.ts";
import type { SettingsNode, SettingsObject } from "../node.ts";
import type { Report } from "../problem.ts";
import type { SettingsDialect } from "./dialect.ts";

/** Claude Code's settings as of 2.1.325: its hooks have the format that Wave has, and more events. */
export const CLAUDE: SettingsDialect = {
  id: "claude-code",
  agent: "Claude Code",
  hookDialect: "claude-code",
  isOwn: false,
  translate,
};

/** Events of Claude Code that Wave does not have, each with the moment that is not there. */
export const NO_COUNTERPART: Readonly<Record<string, string>> = {
  PermissionRequest: "a question to the person",
  PermissionDenied: "a call that was denied",
  PostToolBatch: "the end of several calls at once",
  UserPromptExpansion: "a slash command that becomes a prompt",
  StopFailure: "a turn that ends with an error",
  Setup: "the set-up of a project",
  InstructionsLoaded: "instructions that are read",
  Notification: "a notification",
  MessageDisplay: "an answer that is shown",
  TaskCreated: "a new task",
  TaskCompleted: "a task that is done",
  TeammateIdle: "a teammate without work",
  CwdChanged: "another folder to work in",
  DirectoryAdded: "one more folder to work in",
  FileChanged: "a file that changed",
  WorktreeCreate: "a new work tree",
  WorktreeRemove: "a work tree that goes",
  PreCompact: "the start of a compaction",
  PostCompact: "the end of a compaction",
  PreModelSwitch: "a change of the model",
  PostModelSwitch: "a changed model",
  Elicitation: "a question of a server",
  ElicitationResult: "an answer to a server",
};

/** Of `permissions`: what holds back. What lets pass was said to another program. */
const HOLDING = ["deny", "ask"];

function translate(root: SettingsObject, report: Report): SettingsObject {
  const used: SettingsObject["entries"] = [];
  const unused: string[] = [];
  for (const { key, node } of root.entries) {
    if (key === "hooks") used.push({ key, node: withKnownEvents(node, report) });
    else if (key === "permissions" && node.type === "object") {
      const entries = node.entries.filter((entry) => HOLDING.includes(entry.key));
      used.push({ key, node: { ...node, entries } });
      unused.push(
        ...node.entries.filter((entry) => !entries.includes(entry)).map((one) => `${key}.${one.key}`),
      );
    } else if (key !== "$schema") unused.push(key);
  }
  const says = used.some(({ node }) => node.type !== "object" || node.entries.length > 0);
  if (says && unused.length > 0)
    report("warning", { path: "", line: undefined }, `${USED} Not used: ${unused.join(", ")}`);
  return { ...root, entries: used };
}

const USED = "of settings for Claude Code, Wave uses hooks, and the deny and ask rules of permissions.";

function withKnownEvents(hooks: SettingsNode, report: Report): SettingsNode {
  if (hooks.type !== "object") return hooks;
  const entries = hooks.entries.filter(({ key, node }) => {
    const moment = Object.hasOwn(NO_COUNTERPART, key) ? NO_COUNTERPART[key] : undefined;
    if (moment === undefined) return true;
    const count = hooksIn({ ...hooks, entries: [{ key, node }] });
    const what = count === 1 ? "its hook does not run" : `its ${count} hooks do not run`;
    if (count > 0) report("warning", node, `Wave has no event ${key} yet (${moment}), so ${what}`);
    return false;
  });
  return { ...hooks, entries };
}
