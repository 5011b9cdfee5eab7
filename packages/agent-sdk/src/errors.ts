/** Base of every error Wave throws at a caller of the SDK. `code` is stable; the message says what to do next. */
export abstract class WaveError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

export type ModelErrorKind =
  | "no-key"
  | "wrong-key"
  | "unknown-model"
  | "unreachable"
  | "rate-limited"
  | "context-too-long"
  | "broken-stream"
  | "server"
  | "bad-request";

/** The model could not answer. The message is one sentence for a person, with the next step in it. */
export class ModelError extends WaveError {
  readonly code = "MODEL";

  readonly kind: ModelErrorKind;
  /** The HTTP status, when there was an answer. */
  readonly status: number | undefined;

  constructor(kind: ModelErrorKind, message: string, options?: ErrorOptions & { status?: number }) {
    super(message, options);
    this.kind = kind;
    this.status = options?.status;
  }
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

/** A permission rule that cannot be read or kept. Nothing is allowed by it. */
export class RuleError extends WaveError {
  readonly code = "RULE";
}

/** A session that cannot be opened: it does not exist, or another process is writing it. */
export class SessionError extends WaveError {
  readonly code = "SESSION";

  readonly kind: "not-found" | "in-use" | "unreadable";
  /** Of "in-use": the session, and who has it. */
  readonly held: HeldSession | undefined;

  constructor(
    kind: SessionError["kind"],
    message: string,
    options?: ErrorOptions & { held?: HeldSession | undefined },
  ) {
    super(message, options);
    this.kind = kind;
    this.held = options?.held;
  }
}

/** A session that a process has open. */
export interface HeldSession {
  sessionId: string;
  /** For a sentence: "process 4711 since 14:32". */
  by: string;
}
