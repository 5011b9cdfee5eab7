import type { HookFacts } from "../hooks/events.ts";
import type { CallOrigin } from "../permissions/origin.ts";
import type { Tool, ToolPlace } from "../tools/tool.ts";
import { describeMisfit } from "../utils/describeMisfit.ts";
import { hookView, UNSEEN, viewCall, type CallView, type HookView, type SeenCall } from "./callView.ts";
import type { PreviousDenial } from "./deniedPaths.ts";

type Input = Record<string, unknown>;

/** One input of a call, looked at once: hooks, rules, the record and the hooks after the run all go by this. */
export interface CallFacts {
  input: Input;
  /** What the tool takes, and what that would touch; or why it does not fit. */
  fit: FittingCall | { fits: false; why: string | undefined };
  /** What is known about an input that may not fit. */
  seen: SeenCall;
}

export interface FittingCall {
  fits: true;
  tool: Tool;
  /** As the tool's schema reads it. */
  input: Input;
  view: CallView;
}

/** Also for a tool that does not exist and for arguments that do not fit. */
export function factsOf(tool: Tool | undefined, input: Input, place: ToolPlace): CallFacts {
  const parsed = tool?.input.safeParse(input);
  if (!tool || !parsed) return { input, fit: { fits: false, why: undefined }, seen: UNSEEN };
  if (!parsed.success) {
    const { issues } = parsed.error;
    const why = describeMisfit({ name: tool.name, schema: tool.input, input, issues });
    return { input, fit: { fits: false, why }, seen: UNSEEN };
  }
  const view = viewCall(tool, parsed.data, place);
  return { input, fit: { fits: true, tool, input: parsed.data, view }, seen: view };
}

type ToldFacts = HookView & Pick<HookFacts<"PreToolUse">, "previous_denials">;

/** The inputs that a call has on its way through the gate: the model's own, and what hooks make of it. */
export class CallInputs {
  readonly #see: (input: Input) => CallFacts;
  readonly #absolute: (input: Input) => Input;
  readonly #origin: CallOrigin;
  readonly #deniedBefore: (seen: SeenCall) => PreviousDenial[];
  readonly #known = new Map<string, CallFacts>();
  /** Of the input that hooks were told about last. */
  last: SeenCall = UNSEEN;

  constructor(options: {
    see: (input: Input) => CallFacts;
    /** Makes the paths of an input absolute. */
    absolute: (input: Input) => Input;
    origin: CallOrigin;
    deniedBefore: (seen: SeenCall) => PreviousDenial[];
  }) {
    this.#see = options.see;
    this.#absolute = options.absolute;
    this.#origin = options.origin;
    this.#deniedBefore = options.deniedBefore;
  }

  facts(input: Input): CallFacts {
    const key = JSON.stringify(input);
    const known = this.#known.get(key);
    if (known) return known;
    const facts = this.#see(input);
    this.#known.set(key, facts);
    return facts;
  }

  /** What a hook made of an input. */
  rewritten(input: Input): CallFacts {
    return this.facts(this.#absolute(input));
  }

  /** What hooks are told about the files that an input touches. */
  told({ seen }: CallFacts): ToldFacts {
    this.last = seen;
    const earlier = this.#deniedBefore(seen);
    return { ...hookView(seen, this.#origin), ...(earlier.length > 0 ? { previous_denials: earlier } : {}) };
  }
}
