import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Combined } from "../hooks/combine.ts";
import type { DecisionRecord } from "../hooks/record.ts";
import { decidePermission } from "../permissions/decide.ts";
import type { ToolEffect } from "../permissions/effect.ts";
import { rulesOnFiles, whyKeptBack, type KeptBack } from "../permissions/keptBack.ts";
import { matchRules, type RuleInForce } from "../permissions/matchRules.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import { isInside } from "../permissions/paths.ts";
import { parseRule, type RuleCall, type RuleContext } from "../permissions/rules.ts";
import type { PermissionRuleSource } from "../services/settings.ts";
import { absolutePath } from "../tools/paths.ts";
import type { Tool, ToolSession } from "../tools/tool.ts";

export interface PolicyDecision {
  decision: "allow" | "ask" | "deny";
  by: string;
  reason: string;
  askedBy: string[];
  /** The rules that spoke, for the record. */
  rules: NonNullable<DecisionRecord["rules"]>;
  /** For a tool that comes across files its input does not name: which of them it must leave out. */
  keptBack: KeptBack | undefined;
}

/** Rules and mode of a session, asked about one call. Reads links from disk; the deciding itself is pure. */
export class PermissionPolicy {
  mode: PermissionMode;
  /** Rules of options that cannot be read, each as one sentence; those of files were reported when the files were read. */
  readonly problems: string[] = [];
  readonly #rules: RuleInForce[] = [];
  readonly #session: ToolSession;

  constructor(options: {
    rules: readonly PermissionRuleSource[];
    mode: PermissionMode;
    session: ToolSession;
  }) {
    this.mode = options.mode;
    this.#session = options.session;
    for (const given of options.rules) {
      const rule = parseRule(given.rule);
      const source = given.file === undefined ? "the options of this run" : placeOf(given.file, given.line);
      if ("problem" in rule) this.problems.push(`${source}: ${rule.problem}`);
      else
        this.#rules.push({
          rule,
          base: given.base,
          behavior: given.behavior,
          source,
          managed: given.scope === "managed",
        });
    }
  }

  absolutePath(path: string): string {
    return absolutePath(path, this.#session);
  }

  /** `original` is what the model asked for, `input` what would run: deny and ask rules judge both. */
  decide(call: {
    tool: Tool;
    original: Record<string, unknown>;
    input: Record<string, unknown>;
    hook: Combined;
  }): PolicyDecision {
    const { tool, hook } = call;
    const effect = withLinks(tool.effect(call.input, this.#session));
    const final: RuleCall = { toolName: tool.name, effect };
    const original = this.#originalCall(tool, call.original, call.input);
    const context: RuleContext = { home: homedir() };
    const rules = matchRules(this.#rules, { final, ...original }, context);
    const outcome = decidePermission({
      hook: {
        decision: hook.decision,
        reasons: hook.deciders.flatMap((verdict) => verdict.reason?.text ?? []),
        names: hook.deciders.map((verdict) => verdict.hook.name),
      },
      rules,
      mode: this.mode,
      effect,
      insideProject: this.#isInProject(effect),
    });
    const spoke = (["managedDeny", "deny", "ask", "allow"] as const).flatMap((behavior) =>
      rules[behavior].map(({ rule, source }) => ({ rule, behavior, source })),
    );
    return {
      ...outcome,
      askedBy: "askedBy" in outcome ? outcome.askedBy : [],
      rules: spoke,
      keptBack: this.#keptBack(final, context),
    };
  }

  #keptBack(call: RuleCall, context: RuleContext): KeptBack | undefined {
    const rules = rulesOnFiles(this.#rules, call, context);
    if (rules.length === 0) return undefined;
    return (path) => whyKeptBack(rules, spellingsOf(path), context);
  }

  #originalCall(tool: Tool, original: Record<string, unknown>, input: Record<string, unknown>) {
    if (original === input) return {};
    const parsed = tool.input.safeParse(original);
    // Arguments that never fitted the tool could not have run: only what would run is judged.
    if (!parsed.success) return {};
    return { original: { toolName: tool.name, effect: withLinks(tool.effect(parsed.data, this.#session)) } };
  }

  #isInProject(effect: ToolEffect): boolean {
    if (effect.does !== "read" && effect.does !== "edit") return false;
    const { projectDir } = this.#session;
    const real = realPath(projectDir);
    return effect.paths.every((path) => isInside(projectDir, path) || isInside(real, path));
  }
}

/** Every spelling of every path: a rule must not be dodged by a link, and a link must not leave the project unseen. */
function withLinks(effect: ToolEffect): ToolEffect {
  if (effect.does !== "read" && effect.does !== "edit") return effect;
  return { ...effect, paths: [...new Set(effect.paths.flatMap(spellingsOf))] };
}

function spellingsOf(path: string): string[] {
  const real = realPath(path);
  return real === path ? [path] : [path, real];
}

/** Where a path really leads. What does not exist yet is placed by the folder that does. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    // ENOENT, EACCES, ELOOP: as far as it can be followed.
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

const placeOf = (file: string, line: number | undefined) => (line === undefined ? file : `${file}:${line}`);
