import type { PreparedCall } from "../conversation/turn/prepareCall.ts";
import type { TellModel } from "../hooks/run/carryOut.ts";
import type { ToolOutcome } from "../tools/tool.ts";
import type { FittingCall } from "./callFacts.ts";
import type { HookView } from "./callView.ts";
import type { CallerContext } from "./caller.ts";
import type { Refusal } from "./refusals.ts";

/** What the gate makes of a call: one that may run, or why it does not. */
export type Entered =
  | {
      entered: true;
      call: PreparedCall;
      /** Exactly what was judged and shown. */
      input: Record<string, unknown>;
      rewritten: boolean;
      /** As the model wrote it. */
      original: Readonly<Record<string, unknown>>;
      /** For each field that hooks or a person changed, who did. */
      changedBy: Record<string, string>;
      /** What hooks tell the model, after the results of all calls. */
      after: TellModel[];
      /** What it touches: the same for rules, and for hooks before and after the run. */
      facts: FittingCall;
      view: HookView;
      run(context: CallerContext): Promise<ToolOutcome>;
    }
  | { entered: false; after: TellModel[]; result: string; error: string; refusal: Refusal };
