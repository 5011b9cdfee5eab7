import type { AgentEvent } from "../events.ts";
import { RuleError, SettingsError } from "../errors.ts";
import { isOfProject } from "../hooks/definition.ts";
import { fingerprintOf } from "../hooks/fingerprint.ts";
import type { RuleInForce, RulePlace } from "../permissions/matchRules.ts";
import type { RuleScope } from "../permissions/request.ts";
import {
  listedRule,
  whyFixed,
  type ListedRule,
  type RuleAt,
  type RuleChange,
} from "../permissions/ruleList.ts";
import { parseRule } from "../permissions/parseRule.ts";
import { localSettingsFile, ownSettingsFiles, type SourceFile } from "../workspace/settings/sources.ts";
import { keepOutOfGit } from "../workspace/settings/keepOutOfGit.ts";
import { editSettings } from "../workspace/settings/editSettings.ts";
import type { SettingsEdit } from "../workspace/settings/editText.ts";
import { placeOfRule, type PermissionRuleSource } from "../workspace/settings/permissions.ts";
import { describeProblem } from "../workspace/settings/problem.ts";
import { addTrust, settingsAt } from "../workspace/trust/trust.ts";
import type { PermissionPolicy } from "./permissionPolicy.ts";
import type { SettingsChanges } from "../session/settingsChanges.ts";
import type { SessionLog } from "../session/sessionLog.ts";

/** Changes rules while a session runs, at the wish of a person, and keeps them as long as their place says. */
export class RuleKeeper {
  readonly #policy: PermissionPolicy;
  readonly #log: SessionLog;
  readonly #place: { home: string; projectDir: string; settingsFiles: readonly SourceFile[] };
  readonly #unapproved: () => readonly PermissionRuleSource[];
  readonly #settings: SettingsChanges;
  readonly #emit: (event: AgentEvent) => void;

  constructor(options: {
    policy: PermissionPolicy;
    log: SessionLog;
    place: { home: string; projectDir: string; settingsFiles: readonly SourceFile[] };
    /** Allow rules of the project that nobody approved. */
    unapproved: () => readonly PermissionRuleSource[];
    settings: SettingsChanges;
    emit: (event: AgentEvent) => void;
  }) {
    this.#emit = options.emit;
    this.#policy = options.policy;
    this.#log = options.log;
    this.#place = options.place;
    this.#unapproved = options.unapproved;
    this.#settings = options.settings;
  }

  /** Every rule, also those that wait for an approval. */
  list(): ListedRule[] {
    const own = ownSettingsFiles(this.#place.settingsFiles);
    const active = this.#policy.rules.map((one) => listed(one, own));
    const waiting = this.#unapproved().map(({ rule, behavior, ...at }) =>
      listedRule({ rule, behavior, place: placeOfRule(at), state: "not approved" }, own),
    );
    return [...active, ...waiting].filter(
      (rule, index, all) => all.findIndex((other) => isSame(rule, other)) === index,
    );
  }

  /** Where `change` can put one, the file of one person in one project first. */
  get files(): string[] {
    const local = localSettingsFile(this.#place.projectDir);
    const others = ownSettingsFiles(this.#place.settingsFiles).filter((file) => file !== local);
    return [local, ...others, "session"];
  }

  /** In force and on disk when it resolves. Rejects with RuleError, and then the rule allows nothing. */
  async keep(rule: string, scope: RuleScope): Promise<void> {
    const file = scope === "session" ? scope : localSettingsFile(this.#place.projectDir);
    await this.#add({ rule, behavior: "allow", file });
  }

  /** On disk and in force when it resolves. Rejects with RuleError; what was there is then still there. */
  async change({ from, to }: RuleChange): Promise<void> {
    const gone = from && this.#find(from);
    if (from && to && isSame(from, to)) return;
    // First the new one: whatever stops Wave between the two, nothing that guards is missing.
    if (to) await this.#add(to);
    if (from && gone) await this.#remove(from, gone);
  }

  async #add({ rule: text, behavior, file }: RuleAt): Promise<void> {
    const rule = parseRule(text);
    if ("problem" in rule) throw new RuleError(rule.problem);
    const place = this.#placeOf(file);
    const fixed = whyFixed(place, ownSettingsFiles(this.#place.settingsFiles));
    if (fixed !== undefined) throw new RuleError(`No rule can be written into ${file}: ${fixed}.`);
    if (place.scope !== "session") {
      await this.#write(place.file, { do: "add", path: ["permissions", behavior], item: rule.text });
      if (behavior === "allow" && isOfProject(place.scope)) await this.#approve(rule.text, place.file);
    } else if (behavior !== "allow")
      throw new RuleError("A session keeps allow rules only: put a deny or an ask rule into a file.");
    if (behavior === "allow") {
      const scope = place.scope === "session" ? place.scope : "project";
      this.#log.append({ type: "rule_added", rule: rule.text, scope }, { sync: true });
    }
    this.#policy.add(rule.text, behavior, place);
  }

  async #remove({ rule, behavior, file }: RuleAt, gone: readonly RuleInForce[]): Promise<void> {
    if (file === "session") this.#log.append({ type: "rule_removed", rule }, { sync: true });
    else {
      const written = await this.#write(file, {
        do: "remove",
        path: ["permissions", behavior],
        item: rule,
      });
      if (written === "already")
        throw new RuleError(`${file} has no ${behavior} rule ${rule} in these words; change it in the file.`);
    }
    this.#policy.remove(gone);
  }

  /** What counts of it now: nothing, of one that waits for an approval. */
  #find(from: RuleAt): RuleInForce[] {
    const rule = this.list().find((one) => isSame(one, from));
    if (!rule) throw new RuleError(`There is no ${from.behavior} rule ${from.rule} in ${from.file}.`);
    if (rule.fixed !== undefined) throw new RuleError(`${rule.rule} cannot be changed: ${rule.fixed}.`);
    return this.#policy.rules.filter((one) => isSame(listed(one, []), from));
  }

  #placeOf(file: string): RulePlace {
    if (file === "session") return { scope: file };
    const known = this.#place.settingsFiles.find((one) => one.file === file);
    if (known) return { scope: known.scope, file };
    const there = ["session", ...ownSettingsFiles(this.#place.settingsFiles)].join(", ");
    throw new RuleError(`Rules are not read from ${file}. They can be kept in: ${there}.`);
  }

  async #write(file: string, edit: SettingsEdit & { item: unknown }): Promise<"written" | "already"> {
    const written = await this.#settings.whileWriting(file, () => editSettings(file, edit));
    if (written.edited === "not") {
      const what = edit.do === "remove" ? "removed" : "kept";
      throw new RuleError(
        `The rule ${String(edit.item)} was not ${what}: ${describeProblem(written.problem)}`,
      );
    }
    const isLocal = file === localSettingsFile(this.#place.projectDir);
    if (isLocal && keepOutOfGit(file)) this.#emit({ type: "notice", level: "info", text: KEPT_OUT });
    return written.edited;
  }

  /** A rule in a project's files counts at the next start only when a person approved it: this is that approval. */
  async #approve(rule: string, file: string): Promise<void> {
    const { home, projectDir } = this.#place;
    try {
      const fingerprint = fingerprintOf({
        kind: "allow-rule",
        rule,
        file,
        ...settingsAt(file, projectDir),
      });
      await addTrust(home, projectDir, fingerprint, { kind: "allow-rule", rule });
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      throw new RuleError(
        `The rule ${rule} is in ${file}, and could not be noted as approved: ${error.message}`,
        {
          cause: error,
        },
      );
    }
  }
}

const KEPT_OUT = ".wave/settings.local.json is yours alone: .wave/.gitignore keeps it out of git";

const listed = ({ rule, behavior, place, unread }: RuleInForce, own: readonly string[]): ListedRule =>
  listedRule({ rule: rule.text, behavior, place, state: unread ? "unreadable" : "active" }, own);

type Named = Pick<ListedRule, "rule" | "behavior"> & { file?: string; scope?: ListedRule["scope"] };

const placeName = ({ file, scope }: Named) => file ?? scope ?? "";

const isSame = (one: Named, other: Named) =>
  one.rule === other.rule && one.behavior === other.behavior && placeName(one) === placeName(other);
