import {
  approveProject,
  gitWaitsForApproval,
  readProjectTrust,
  revokeTrust,
  type ProjectTrust,
  type TrustItem,
} from "wave-agent-sdk";
import type { Surroundings } from "../../cli/surroundings.ts";
import { projectDir, waveHome } from "../../modes/places.ts";
import { readSettings } from "../../modes/readSettings.ts";
import { plural } from "../../panels/hookWords.ts";
import { approvedBefore, reviewLines } from "../../trust/review.ts";
import { printable, printableJson } from "../../utils/printable.ts";
import { textOf } from "../../view/span.ts";
import { wrongUsage } from "../wrongUsage.ts";
import type { HooksInvocation } from "./invocation.ts";

/** So many digits of the hash name a set beyond doubt. */
const LEAST_DIGITS = 8;

/** Shows, approves and revokes what a project's own files bring along, and prints the hash for `--trust-hooks`. */
export async function trustHooks(
  words: readonly string[],
  { json, settingsFile }: HooksInvocation,
  around: Surroundings,
): Promise<number> {
  const [action = "show", named, ...more] = words;
  if (more.length > 0) return wrongUsage(around, `${JSON.stringify(more[0])} is one word too many.`);
  const home = waveHome(around.env);
  const settings = readSettings(settingsFile, around);
  const trust = readProjectTrust({
    home,
    projectDir: projectDir(around),
    hooks: settings.hooks,
    rules: settings.permissions.rules,
    ofProject: settings.ofProject,
  });
  const say = (text: string) => around.stdout.write(`${printable(text)}\n`);
  switch (action) {
    case "show":
      if (json) around.stdout.write(`${printableJson(asJson(trust))}\n`);
      else say(report(trust));
      return 0;
    case "hash":
      say(trust.sha256);
      return 0;
    case "approve":
      if (named === undefined || named.length < LEAST_DIGITS || !trust.sha256.startsWith(named)) {
        return wrongUsage(around, whichSet(named, trust));
      }
      await approveProject(home, trust, new Date());
      say(`Approved: ${approvedNow(trust)}.`);
      return 0;
    case "revoke":
      say(
        (await revokeTrust(home, trust.projectDir))
          ? `Nothing of ${trust.projectDir} counts any more until somebody approves it again.`
          : `Nothing of ${trust.projectDir} was approved.`,
      );
      return 0;
    default:
      return wrongUsage(around, "wave hooks trust takes show, approve <hash>, revoke or hash.");
  }
}

function whichSet(named: string | undefined, { sha256 }: ProjectTrust): string {
  if (named === undefined || named.length < LEAST_DIGITS) {
    return `Say what you approve: wave hooks trust shows it, and wave hooks trust approve ${sha256.slice(0, 12)} approves it.`;
  }
  return `${named} is not what this project holds now: look again with wave hooks trust.`;
}

function report(trust: ProjectTrust): string {
  const open = trust.items.filter(({ state }) => state !== "reviewed");
  if (open.length === 0 && trust.folder === "trusted") {
    const through =
      trust.through === undefined ? "" : ` (a work tree of ${trust.through}, where the same was approved)`;
    return [
      ...trust.warnings,
      `${trust.projectDir} is approved${trust.items.length === 0 ? "" : `: ${count(trust.items)}`}${through}.`,
      `Hash: ${trust.sha256}`,
    ].join("\n");
  }
  if (open.length === 0) {
    const nothing = `Nothing in ${trust.projectDir} needs an approval.`;
    const rest = gitWaitsForApproval(trust.projectDir) ? ["", GIT_WAITS, ...waysToApprove(trust)] : [];
    return [...trust.warnings, nothing, ...rest].join("\n");
  }
  const lines = reviewLines(trust).map(textOf);
  return [`Not approved in ${trust.projectDir}:`, ...lines, "", ...waysToApprove(trust)].join("\n");
}

const GIT_WAITS =
  "Its git repository is left alone, since the settings there could make git start programs: the model is not told\n" +
  "branch and changed files. Approving the folder changes that.";

const waysToApprove = ({ sha256 }: ProjectTrust) => [
  `Approve exactly this: wave hooks trust approve ${sha256.slice(0, 12)}`,
  `For CI:               wave -p --trust-hooks ${sha256} "…"`,
];

/** What this yes was for; what had one before is told apart. */
function approvedNow({ items, projectDir: folder }: ProjectTrust): string {
  const open = items.filter(({ state }) => state !== "reviewed");
  const before = items.length - open.length;
  const what = open.length === 0 ? `the folder ${folder}` : `${count(open)} of ${folder}, in this form`;
  return before === 0 ? what : `${what} (${approvedBefore(before, items.length)})`;
}

function count(items: readonly TrustItem[]): string {
  const of = (kind: TrustItem["item"]["kind"]) => items.filter(({ item }) => item.kind === kind);
  const rules = of("allow-rule").length;
  const settings = of("setting").length;
  const hooks = of("hook").length;
  return listed([
    ...(hooks === 0 ? [] : [plural(hooks, "hook")]),
    ...(rules === 0 ? [] : [plural(rules, "allow rule")]),
    ...(settings === 0 ? [] : [plural(settings, "setting")]),
    ...of("instructions").flatMap(({ files }) => files.map(({ path }) => path)),
  ]);
}

const listed = (words: readonly string[]) => words.join(", ").replace(/, ([^,]*)$/, " and $1");

function asJson({ projectDir: folder, folder: state, sha256, items, warnings }: ProjectTrust) {
  return {
    folder,
    trusted: state === "trusted",
    sha256,
    warnings,
    items: items.map((one) => ({
      kind: one.item.kind,
      state: one.state,
      fingerprint: one.fingerprint,
      settingsAt: one.item.settingsAt,
      ...(one.item.kind === "hook"
        ? {
            event: one.item.hook.event,
            name: one.item.hook.name,
            command: one.item.hook.action.command,
            source: one.item.hook.source,
            files: one.files.map(({ path, sha256: hash, leadsTo }) => ({ path, sha256: hash, leadsTo })),
          }
        : one.item.kind === "allow-rule"
          ? { rule: one.item.rule, file: one.item.file }
          : one.item.kind === "setting"
            ? { name: one.item.name, says: one.item.says, path: one.item.path }
            : { path: one.item.path, sha256: one.item.sha256, unread: one.item.unread }),
    })),
  };
}
