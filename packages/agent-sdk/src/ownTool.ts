/*
 * A tool that a program brings along. It passes the same gate as Wave's own: hooks, rules, modes and records know it by its
 * name.
 */

/** What every schema library of the Standard Schema kind has: zod, Valibot, ArkType and others. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    /** Libraries that can describe their schemas to others have this. */
    readonly jsonSchema?:
      | { readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown> }
      | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a call touches. Rules, modes and protected files judge by it. */
export interface ToolTouches {
  /** Files and folders that it reads; relative to the working folder. */
  reads?: readonly string[] | undefined;
  writes?: readonly string[] | undefined;
  /** Other machines that it talks to. */
  network?: readonly string[] | undefined;
}

/** What a tool of one's own gets beside its input. */
export interface OwnToolContext {
  /** Aborts when the turn is interrupted. */
  signal: AbortSignal;
  /** The working folder of the session. */
  cwd: string;
  projectDir: string;
  /** Shows output while the call runs. */
  onOutput: (text: string) => void;
}

export interface OwnToolDefinition<Input> {
  /** As the model, rules and hooks know it: letters, digits, `_` and `-`. */
  name: string;
  /** For the model. */
  description: string;
  /** Any Standard Schema. What does not fit is answered without a run. */
  input: StandardSchema<Input>;
  /** The JSON Schema of the input, for a schema library that cannot describe itself. */
  parameters?: Record<string, unknown> | undefined;
  /** Left out, it counts as a tool that may do anything: default mode asks before each call. `{}` says it touches nothing. */
  touches?: ToolTouches | ((input: Input) => ToolTouches) | undefined;
  /** A text is given to the model as it is, anything else as JSON. What it throws is a failed call. */
  run: (input: Input, context: OwnToolContext) => unknown;
}

/** Made by `tool()`, and by nothing else. */
export class OwnTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly #definition: OwnToolDefinition<unknown>;

  constructor(definition: OwnToolDefinition<unknown>, parameters: Record<string, unknown>) {
    this.name = definition.name;
    this.description = definition.description;
    this.parameters = parameters;
    this.#definition = definition;
    Object.freeze(this);
  }

  /** The value that the schema makes of an input, or what is wrong with it. */
  read(input: unknown): StandardResult<unknown> {
    const result = this.#definition.input["~standard"].validate(input);
    return result instanceof Promise ? { issues: [{ message: ONLY_AT_ONCE }] } : result;
  }

  /** Undefined: it does not say. */
  touches(value: unknown): ToolTouches | undefined {
    const { touches } = this.#definition;
    return typeof touches === "function" ? touches(value) : touches;
  }

  perform(value: unknown, context: OwnToolContext): unknown {
    return this.#definition.run(value, context);
  }
}

const ONLY_AT_ONCE = "the schema of this tool answers with a promise; Wave needs one that checks at once";
