import type { DeepReadonly } from "../utils/deepFreeze.ts";
import { z } from "zod";
import { maskSecretsIn } from "../utils/maskSecrets.ts";
import { once } from "../utils/once.ts";

/** A hook that failed and held something back, and what a person did about it. */
const brokenGuardSchema = once(() =>
  z.object({
    name: z.string(),
    source: z.string(),
    /** Of failure. */
    kind: z.string(),
    did: z.enum(["retried", "passed-once", "switched-off"]),
  }),
);

/** One run of a hook. */
const hookEntrySchema = once(() =>
  z.object({
    name: z.string(),
    source: z.string(),
    pass: z.number(),
    /** "exit 0", "SIGKILL", "timed out after 10 s", "not started: …" */
    ended: z.string(),
    durationMs: z.number(),
    /** "none", "allow", "ask", "deny", "halt", "could not decide", "interrupted" */
    verdict: z.string(),
    reason: z.string().optional(),
    /** The fields it changed. */
    rewrote: z.array(z.string()).optional(),
    /** Whether all of them stand in the input that was judged last; a later hook may have changed the same field. */
    rewriteTaken: z.boolean().optional(),
    /** What its rewrite did, so that the call was refused: "rewrote the input so that …". */
    rewriteRefused: z.string().optional(),
    stdoutBytes: z.number(),
    stderrBytes: z.number(),
    /** What it wrote there, unless that is its reason or part of its failure. Never of a prompt that was blocked. */
    stderr: z.string().optional(),
    cutBytes: z.number().optional(),
    unknownFields: z.array(z.string()).optional(),
    /** Why it may have meant more than it says: "permissionDecision is null, which decides nothing". */
    doubts: z.string().optional(),
    /** "crash: ended with exit code 1", or "interrupted". */
    failure: z.string().optional(),
    /** Which word of `onError` spoke: "timeout", "crash", "missing", "invalid". */
    failureKind: z.string().optional(),
    /** The failure let the action pass: counted and shown. */
    failedOpen: z.boolean().optional(),
  }),
);

/**
 * One line per event, also when something crashed: who was asked, what each said, who decided, and why.
 * Hashes and references, not payloads.
 */
export const decisionRecordSchema = once(() =>
  z.object({
    event: z.string(),
    toolUseId: z.string().optional(),
    toolName: z.string().optional(),
    /** SHA-256 of the compact JSON of the input: what the model sent, and what was judged last and ran. */
    inputHash: z.string().optional(),
    finalInputHash: z.string().optional(),
    /** The beginning of both, for a person who reads the record; the second only when hooks changed it. */
    inputPreview: z.string().optional(),
    finalInputPreview: z.string().optional(),
    mode: z.string(),
    /** Whose event it was. Absent: of the main conversation. */
    agentId: z.string().optional(),
    agentType: z.string().optional(),
    /** "person": typed with `!`. Absent: the model wants it. */
    origin: z.string().optional(),
    hooks: z.array(hookEntrySchema()),
    /** The same hooks before, each time they were asked again: by a person because one of them failed, or in another mode. */
    earlier: z.array(hookEntrySchema()).optional(),
    /** Hooks of this event that did not run, and why not. */
    skipped: z.array(z.object({ name: z.string(), source: z.string(), why: z.string() })),
    /** Rules that matched. */
    rules: z.array(z.object({ rule: z.string(), behavior: z.string(), source: z.string() })).optional(),
    decision: z.enum(["allow", "deny", "pass", "blocked", "halted", "continued"]),
    /** "hook no-force-push", "rule Bash(git:*)", "mode default", "person", "nobody could answer", … */
    decidedBy: z.string(),
    reason: z.string().optional(),
    /** "read-only": it ran because Wave takes it for one that only reads, so where it could do nothing else, if that was to be had. */
    bounds: z.string().optional(),
    /** Of a call that nobody could be asked about: an allow rule with which it runs. */
    allowedBy: z.string().optional(),
    /** What a person did about hooks that held this back only because they failed. */
    brokenGuards: z.array(brokenGuardSchema()).optional(),
    durationMs: z.number(),
    /** UserPromptSubmit: length and hash stay, the text does not. */
    promptHash: z.string().optional(),
    promptLength: z.number().optional(),
  }),
);

export type BrokenGuard = DeepReadonly<z.infer<ReturnType<typeof brokenGuardSchema>>>;
export type DecisionRecord = DeepReadonly<z.infer<ReturnType<typeof decisionRecordSchema>>>;

/** Without what looks like a key, and without the keys that Wave itself holds (G68). */
export const maskedRecord = (record: DecisionRecord, keys: readonly string[]): DecisionRecord =>
  maskSecretsIn(record, keys);
