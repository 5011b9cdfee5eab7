/** Base of every error Wave throws at a caller of the SDK. `code` is stable; the message says what to do next. */
export abstract class WaveError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * Every way in which a model fails to answer: the kind that a program tells apart, and whether the same request may work
 * later although nobody changed anything. The documentation of both is made from here.
 */
export const MODEL_FAILURES = {
  "no-key": { kind: "authentication", canRetry: false, means: "no key is set" },
  "wrong-key": {
    kind: "authentication",
    canRetry: false,
    means: "the server refused the key, or the key may not use the model",
  },
  "rate-limited": {
    kind: "rate-limit",
    canRetry: true,
    means: "the server takes no more requests for now; without credit or quota a retry does not help",
  },
  overloaded: { kind: "overloaded", canRetry: true, means: "the server has too much to do" },
  "context-too-long": {
    kind: "context",
    canRetry: false,
    means: "the conversation is too long for the model, even after it was summarised",
  },
  "unknown-model": { kind: "refused", canRetry: false, means: "the server does not have the model" },
  "bad-request": { kind: "refused", canRetry: false, means: "the server rejected the request" },
  unreachable: { kind: "network", canRetry: true, means: "there was no connection to the server" },
  "broken-stream": {
    kind: "cut-off",
    canRetry: true,
    means: "the answer broke off, or did not come; what came of it is kept",
  },
  server: { kind: "server", canRetry: true, means: "the server failed" },
} as const satisfies Record<string, { kind: string; canRetry: boolean; means: string }>;

export type ModelErrorKind = keyof typeof MODEL_FAILURES;

/** What a program tells apart about a turn that failed. "internal": it was no word of the model server's. */
export type TurnFailureKind = (typeof MODEL_FAILURES)[ModelErrorKind]["kind"] | "internal";

/** The model could not answer. The message is one sentence for a person, with the next step in it. */
export class ModelError extends WaveError {
  readonly code = "MODEL";

  readonly kind: ModelErrorKind;
  /** The HTTP status, when there was an answer. */
  readonly status: number | undefined;
  /** The same request may work later, although nobody changed anything. */
  readonly canRetry: boolean;
  /** How long the server asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: ModelErrorKind, message: string, options: ErrorOptions & ModelErrorFacts = {}) {
    super(message, options);
    this.kind = kind;
    this.status = options.status;
    this.canRetry = options.canRetry ?? MODEL_FAILURES[kind].canRetry;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** The same failure in other words. */
  saying(message: string): ModelError {
    const { kind, status, canRetry, retryAfterMs } = this;
    return new ModelError(kind, message, { cause: this, status, canRetry, retryAfterMs });
  }
}

interface ModelErrorFacts {
  status?: number | undefined;
  /** Default: what MODEL_FAILURES says. */
  canRetry?: boolean;
  retryAfterMs?: number | undefined;
}

/** Why a turn failed, for a program to act on; `reason` of the turn is the same for a person. */
export interface TurnFailure {
  kind: TurnFailureKind;
  /** Which of the ways of that kind; absent when it was none of the model server's. */
  detail?: ModelErrorKind;
  message: string;
  /** The HTTP status, when there was an answer. */
  status?: number;
  /** The same prompt may work later, although nobody changed anything. */
  canRetry: boolean;
  /** How long the server asked to be left alone. */
  retryAfterMs?: number;
}

export function turnFailureOf(error: unknown): TurnFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ModelError)) return { kind: "internal", message, canRetry: false };
  const { kind: detail, status, canRetry, retryAfterMs } = error;
  return {
    kind: MODEL_FAILURES[detail].kind,
    detail,
    message,
    ...(status === undefined ? {} : { status }),
    canRetry,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** A settings file that cannot be read or parsed: Wave must not run unguarded because of it. */
export class SettingsError extends WaveError {
  readonly code = "SETTINGS";

  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** What is wrong with one option, or one argument of a method. */
export interface OptionProblem {
  /** `hooks.PreToolUse[0].matcher`, or `sendMessage.content`. */
  path: string;
  /** What is wrong and what is expected, without the path. */
  problem: string;
  /** The name that was probably meant. */
  nearest?: string;
}

/**
 * Options of Agent.create, or arguments of a method, that cannot work: nothing was done. Has everything that is wrong, and the
 * first of it in `path`, `problem` and `nearest`.
 */
export class OptionsError extends WaveError {
  readonly code = "OPTIONS";

  readonly problems: readonly OptionProblem[];

  constructor(problems: readonly OptionProblem[]) {
    super(problems.map(describeOptionProblem).join("\n"));
    this.problems = problems;
  }

  get path(): string {
    return this.problems[0]?.path ?? "";
  }

  get problem(): string {
    return this.problems[0]?.problem ?? "";
  }

  get nearest(): string | undefined {
    return this.problems[0]?.nearest;
  }
}

function describeOptionProblem({ path, problem, nearest }: OptionProblem): string {
  const hint =
    nearest === undefined || problem.includes("did you mean")
      ? ""
      : `; did you mean ${JSON.stringify(nearest)}?`;
  return `${path}: ${problem}${hint}`;
}

/** A permission rule that cannot be read or kept. Nothing is allowed by it. */
export class RuleError extends WaveError {
  readonly code = "RULE";
}

/** A picture that cannot be shown to the model: it is not there, no picture, too large, or a rule denies reading it. */
export class ImageError extends WaveError {
  readonly code = "IMAGE";
  readonly kind: "missing" | "refused";

  constructor(message: string, options: ErrorOptions & { kind?: ImageError["kind"] } = {}) {
    super(message, options);
    this.kind = options.kind ?? "refused";
  }
}

/** The agent was destroyed: nothing can be asked of it any more. */
export class ClosedError extends WaveError {
  readonly code = "CLOSED";

  constructor() {
    super("this agent was destroyed; create a new one");
  }
}

/** A session that cannot be opened: it does not exist, another process is writing it, or a newer version of Wave wrote it. */
export class SessionError extends WaveError {
  readonly code = "SESSION";

  readonly kind: "not-found" | "in-use" | "unreadable" | "newer";
  /** Of "in-use": the session, and who has it. */
  readonly held: HeldSession | undefined;
  /** Of "in-use" and "newer": one can go on in a copy of this session. */
  readonly copyOf: string | undefined;

  constructor(
    kind: SessionError["kind"],
    message: string,
    options?: ErrorOptions & { held?: HeldSession | undefined; copyOf?: string },
  ) {
    super(message, options);
    this.kind = kind;
    this.held = options?.held;
    this.copyOf = options?.copyOf ?? options?.held?.sessionId;
  }
}

/** A session that a process has open. */
export interface HeldSession {
  sessionId: string;
  /** For a sentence: "process 4711 since 14:32". */
  by: string;
}
