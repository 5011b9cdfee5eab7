import type { AgentEvent } from "../events.ts";
import { RuleError, SettingsError } from "../errors.ts";
import { fingerprintOf } from "../hooks/fingerprint.ts";
import type { RuleScope } from "../permissions/request.ts";
import { parseRule } from "../permissions/rules.ts";
import { localSettingsFile } from "../workspace/settings/sources.ts";
import { keepOutOfGit } from "../workspace/settings/keepOutOfGit.ts";
import { editSettings } from "../workspace/settings/editSettings.ts";
import { describeProblem } from "../workspace/settings/problem.ts";
import { addTrust, settingsAt } from "../workspace/trust/trust.ts";
import type { PermissionPolicy } from "./permissionPolicy.ts";
import type { SettingsChanges } from "../session/settingsChanges.ts";
import type { SessionLog } from "../session/sessionLog.ts";

/** Puts allow rules in force while a session runs, and keeps them as long as their scope says. */
export class RuleKeeper {
  readonly #policy: PermissionPolicy;
  readonly #log: SessionLog;
  readonly #place: { home: string; projectDir: string };
  readonly #settings: SettingsChanges;
  readonly #emit: (event: AgentEvent) => void;

  constructor(options: {
    policy: PermissionPolicy;
    log: SessionLog;
    place: { home: string; projectDir: string };
    settings: SettingsChanges;
    emit: (event: AgentEvent) => void;
  }) {
    this.#emit = options.emit;
    this.#policy = options.policy;
    this.#log = options.log;
    this.#place = options.place;
    this.#settings = options.settings;
  }

  /** In force and on disk when it resolves. Rejects with RuleError, and then the rule allows nothing. */
  async keep(text: string, scope: RuleScope): Promise<void> {
    const rule = parseRule(text);
    if ("problem" in rule) throw new RuleError(rule.problem);
    if (scope === "project") await this.#write(rule.text);
    this.#log.append({ type: "rule_added", rule: rule.text, scope }, { sync: true });
    this.#policy.allow(
      rule.text,
      scope === "project" ? localSettingsFile(this.#place.projectDir) : "this session",
    );
  }

  async #write(rule: string): Promise<void> {
    const { home, projectDir } = this.#place;
    const file = localSettingsFile(projectDir);
    const written = await this.#settings.whileWriting(file, () =>
      editSettings(file, { do: "add", path: ["permissions", "allow"], item: rule }),
    );
    if (written.edited === "not") {
      throw new RuleError(`The rule ${rule} was not kept: ${describeProblem(written.problem)}`);
    }
    if (keepOutOfGit(file)) this.#emit({ type: "notice", level: "info", text: KEPT_OUT });
    // A rule in a project's files counts at the next start only when a person approved it: this is that approval.
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
