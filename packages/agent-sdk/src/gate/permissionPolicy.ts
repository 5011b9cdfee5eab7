import type { Doings } from "wave-shell-reader";
import { personHome } from "../workspace/personHome.ts";
import {
  decidePermission,
  type BelievedReading,
  type Bounds,
  type PermissionFacts,
  type PermissionOutcome,
} from "../permissions/decide.ts";
import type { SeenEffect } from "../permissions/effect.ts";
import { filteredPlaces, rulesOnFiles, whyFiltered, type SearchFilter } from "../permissions/searchFilter.ts";
import {
  matchRules,
  withNameDoubts,
  type NameDoubt,
  type RuleBehavior,
  type RuleInForce,
  type RulePlace,
} from "../permissions/matchRules.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import { isInside } from "../permissions/paths.ts";
import { offerRule, type AskedCall } from "../permissions/offerRule.ts";
import type { RuleOffer } from "../permissions/request.ts";
import { parseRule } from "../permissions/parseRule.ts";
import { namesHost, type RuleCall, type RuleContext } from "../permissions/rules.ts";
import { realPath } from "../workspace/files/fileFacts.ts";
import { FilesToHide } from "../workspace/sandbox/filesToHide.ts";
import { localSettingsFile } from "../workspace/settings/sources.ts";
import { placeOfRule, type PermissionRuleSource } from "../workspace/settings/permissions.ts";
import { absolutePath } from "../tools/paths.ts";
import type { Tool, ToolSession } from "../tools/tool.ts";
import { factsOf, type CallFacts } from "./callFacts.ts";
import { needsNoRule, type CallView } from "./callView.ts";
import { HardLinks } from "./hardLinks.ts";
import type { Ahead, Decides, Opinion, PolicyDecision, SeenInputs } from "./seams.ts";
import type { ProtectedFiles } from "../workspace/protectedFiles.ts";

/** Rules and mode of a session, asked about one call. Reads links from disk; the deciding itself is pure. */
export class PermissionPolicy implements Decides {
  /** Rules of options that cannot be read, each as one sentence; those of files were reported when the files were read. */
  readonly problems: string[] = [];
  #rules: RuleInForce[] = [];
  /** What a person added while the session runs; it outlives a new look at the files. */
  #added: RuleInForce[] = [];
  #mode: PermissionMode | undefined;
  readonly #like: PermissionPolicy | undefined;
  readonly #readsItsOwn: boolean;
  /** The line whose question said how there would be fewer. */
  #advisedOn: string | undefined;
  /** By which rules keep them back. */
  readonly #filesToHide = new Map<string, FilesToHide>();
  readonly #session: ToolSession;
  readonly #protected: ProtectedFiles;
  readonly #reviewWays: string;
  readonly #asksForProtected: boolean;

  constructor(options: {
    rules?: readonly PermissionRuleSource[] | undefined;
    mode?: PermissionMode | undefined;
    /** Whose rules and mode count where none are given, also those that come later. */
    like?: PermissionPolicy | undefined;
    session: ToolSession;
    protectedFiles: ProtectedFiles;
    /** How a person gets to hooks that nobody approved. */
    reviewWays: string;
    /** "as-others": writing a protected file is asked about only where any other write is. */
    selfConfig?: "asks" | "as-others";
  }) {
    this.#reviewWays = options.reviewWays;
    this.#mode = options.mode;
    this.#like = options.like;
    this.#asksForProtected = options.selfConfig !== "as-others";
    this.#session = options.session;
    this.#protected = options.protectedFiles;
    this.#readsItsOwn = options.rules !== undefined;
    this.readRules(options.rules ?? []);
  }

  get mode(): PermissionMode {
    return this.#mode ?? this.#like?.mode ?? "default";
  }

  set mode(mode: PermissionMode) {
    this.#mode = mode;
  }

  get #inForce(): readonly RuleInForce[] {
    return this.#readsItsOwn || !this.#like ? this.#rules : this.#like.#inForce;
  }

  /** The rules of all files, in place of those that were read before. */
  readRules(rules: readonly PermissionRuleSource[]): void {
    this.#filesToHide.clear();
    this.#rules = [...this.#added];
    for (const given of rules) {
      const rule = parseRule(given.rule);
      const source = given.file === undefined ? "the options of this run" : placeOf(given.file, given.line);
      if ("problem" in rule) this.problems.push(`${source}: ${rule.problem}`);
      else
        this.#rules.push({
          ...(given.unread === undefined
            ? { rule }
            : { rule: { ...rule, text: given.unread }, unread: true }),
          base: given.base,
          behavior: given.behavior,
          source,
          place: placeOfRule(given),
          managed: given.scope === "managed",
        });
    }
  }

  /** Every rule that counts, those of managed settings first. */
  get rules(): readonly RuleInForce[] {
    return this.#rules.toSorted((one, other) => Number(other.managed) - Number(one.managed));
  }

  /** One more rule while the session runs. An allow lifts nothing: whoever denies or asks speaks before it. */
  add(text: string, behavior: RuleBehavior, place: RulePlace): void {
    const rule = parseRule(text);
    const source = place.scope === "session" ? "this session" : place.file;
    if ("problem" in rule) this.problems.push(`${source}: ${rule.problem}`);
    else {
      const added = { rule, base: this.#session.projectDir, behavior, source, place, managed: false };
      this.#rules.push(added);
      this.#added.push(added);
    }
  }

  /** A rule that a person took away counts no more. */
  remove(gone: readonly RuleInForce[]): void {
    const stays = (rule: RuleInForce) => !gone.includes(rule);
    this.#rules = this.#rules.filter(stays);
    this.#added = this.#added.filter(stays);
  }

  /** The deny rule that keeps a file from being read, whoever wants to. */
  whyNotRead(path: string): string | undefined {
    const denying = this.#rules.filter(({ behavior }) => behavior === "deny");
    const context = { home: personHome(this.#session.env), project: this.#session.projectDir };
    return whyFiltered(denying, spellingsOf(path), context);
  }

  absolutePath(path: string): string {
    return absolutePath(path, this.#session);
  }

  see(tool: Tool | undefined, input: Record<string, unknown>): CallFacts {
    return factsOf(tool, input, this.#session);
  }

  async lookAhead({ final, original }: SeenInputs, signal: AbortSignal): Promise<Ahead> {
    const { env } = this.#session;
    await this.#session.sandbox?.look();
    const touched = this.#asksForProtected ? final.view.touched : [];
    const watched = await this.#protected.watchTrees(touched, env);
    if (!this.#asksForProtected)
      return { brought: () => undefined, lookAgain: () => watched(() => undefined) };
    const all = [...touched, ...(original?.view.touched ?? [])];
    const brought = await this.#protected.lookAhead(all, { env, signal });
    return { brought, lookAgain: () => watched(brought) };
  }

  decide(call: Parameters<Decides["decide"]>[0], opinion: Opinion): PolicyDecision {
    const { tool, view } = call.final;
    const originalView = call.original?.view;
    // Where a shell's `~` leads, and the tools' own.
    const context: RuleContext = {
      home: personHome(this.#session.env),
      project: this.#session.projectDir,
    };
    const hardLinks = new HardLinks(this.#inForce, context);
    const nameDoubts: NameDoubt[] = [];
    const asRuleCall = (seen: CallView): RuleCall => {
      const { view, doubts } = hardLinks.seen(seen);
      const { effect, touched } = view;
      nameDoubts.push(...doubts);
      const reads = (doings: Doings) => needsNoRule(doings, this.#session, this.mode);
      const { elsewhere } = seen;
      return {
        toolName: tool.name,
        effect,
        touched,
        onlyReads: reads,
        ...(elsewhere === undefined ? {} : { elsewhere }),
      };
    };
    const final = asRuleCall(view);
    const calls = { final, ...(originalView ? { original: asRuleCall(originalView) } : {}) };
    const rules = withNameDoubts(matchRules(this.#inForce, calls, context), nameDoubts);
    const facts: PermissionFacts = {
      hook: opinion.hook,
      rules,
      mode: this.mode,
      origin: call.origin,
      unreviewed: [...new Set(opinion.unreviewed)],
      reviewWays: this.#reviewWays,
      effect: view.counts,
      insideProject: view.insideProject,
      protectedHits: this.#asksForProtected
        ? this.#protected.hits([...view.touched, ...(originalView?.touched ?? [])], call.ahead.brought)
        : [],
      ...(view.unproven === undefined ? {} : { unproven: view.unproven }),
      ...(view.believed === undefined ? {} : { believed: view.believed }),
      readsAreBounded: view.believed !== undefined && this.#boundsReading(view.believed, context),
      ...(view.elsewhere === undefined ? {} : { elsewhere: view.elsewhere }),
    };
    const outcome = this.#withAdvice(decidePermission(facts), facts);
    const spoke = (["managedDeny", "deny", "ask", "allow"] as const).flatMap((behavior) =>
      rules[behavior].map(({ rule, source }) => ({ rule, behavior, source })),
    );
    return {
      ...outcome,
      askedBy: "askedBy" in outcome ? outcome.askedBy : [],
      bounds: "bounds" in outcome ? outcome.bounds : "none",
      rules: spoke,
      offer: () => this.#offer({ facts, rules: this.#inForce, calls, context }),
      searchFilter: this.#searchFilter(final, hardLinks, context),
      hidden: (bounds) => this.#toHide(HIDDEN_FOR[bounds], context).hiddenFor(bounds, view.believed?.git),
      judgedFiles: view.touched.flatMap(({ spellings }) => spellings),
      namedHost: this.#namesHost(tool.name, view.effect),
    };
  }

  #namesHost(toolName: string, effect: SeenEffect): boolean {
    const hosts = effect.does === "reach" ? effect.hosts : [];
    const allows = this.#inForce.filter(({ behavior }) => behavior === "allow");
    return (
      hosts.length > 0 && hosts.every((host) => allows.some(({ rule }) => namesHost(rule, toolName, host)))
    );
  }

  #offer(asked: Omit<AskedCall, "base">): RuleOffer {
    const { projectDir } = this.#session;
    const offer = offerRule({ ...asked, base: projectDir });
    return offer.offered ? { ...offer, file: localSettingsFile(projectDir) } : offer;
  }

  /** Whether a command can be run so that it does nothing but read, and nothing that a rule keeps back. */
  #boundsReading({ git }: BelievedReading, context: RuleContext): boolean {
    const { sandbox, projectDir, cwd } = this.#session;
    // Elsewhere a command would see no file at all.
    const can = sandbox?.boundsReading === true && isInside(realPath(projectDir), realPath(cwd));
    if (!can) return false;
    const { complete, copies } = this.#toHide(HIDDEN_FOR["read-only"], context).look();
    return complete && (git === "none" || copies.length === 0);
  }

  /** Says once how there would be fewer questions, at the first that a sandbox would have spared. */
  #withAdvice(outcome: PermissionOutcome, facts: PermissionFacts): PermissionOutcome {
    const advice = this.#session.sandbox?.advice;
    const line = facts.effect.does === "run" ? facts.effect.command : undefined;
    const isFirst = this.#advisedOn === undefined || this.#advisedOn === line;
    if (outcome.decision !== "ask" || advice === undefined || line === undefined || !isFirst) return outcome;
    if (decidePermission({ ...facts, readsAreBounded: true }).decision !== "allow") return outcome;
    this.#advisedOn = line;
    return { ...outcome, reason: `${outcome.reason} ${advice}` };
  }

  #toHide(behaviors: readonly RuleBehavior[], context: RuleContext): FilesToHide {
    const key = behaviors.join();
    const known = this.#filesToHide.get(key);
    if (known) return known;
    const { projectDir } = this.#session;
    const parts = filteredPlaces(
      this.#rules.filter(({ behavior }) => behaviors.includes(behavior)),
      context,
    );
    const made = new FilesToHide(parts, projectDir);
    this.#filesToHide.set(key, made);
    return made;
  }

  #searchFilter(call: RuleCall, hardLinks: HardLinks, context: RuleContext): SearchFilter | undefined {
    const rules = rulesOnFiles(this.#inForce, call, context);
    if (rules.length === 0) return undefined;
    return (path) => {
      const why = whyFiltered(rules, [...spellingsOf(path), ...hardLinks.of(path, "read")], context);
      if (why !== undefined) return why;
      const doubt = hardLinks.doubtsAbout(path, "read").find(({ placed }) => rules.includes(placed));
      return (
        doubt &&
        `rule ${doubt.placed.rule.text} in ${doubt.placed.source}, which may be about it under another name`
      );
    };
  }
}

/** A command that somebody allowed may read what would have been asked about: that was the question. */
const HIDDEN_FOR: Record<Bounds, readonly RuleBehavior[]> = { none: ["deny"], "read-only": ["deny", "ask"] };

function spellingsOf(path: string): string[] {
  const real = realPath(path);
  return real === path ? [path] : [path, real];
}

const placeOf = (file: string, line: number | undefined) => (line === undefined ? file : `${file}:${line}`);
