import { jsonSchemaOf } from "../options/standardSchema.ts";
import type { MessageManager } from "../managers/messageManager.ts";
import type { Ending } from "./turn/nextStep.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "../ownTool.ts";

/** What a program wants the answer to be: data that fits this schema. */
export interface WantedOutput {
  schema: StandardSchema;
  /** As the model is told it. */
  jsonSchema: Record<string, unknown>;
}

/** How often the model may answer until its answer has to fit. */
export const OUTPUT_TRIES = 3;

/** Throws OptionsError for a schema that cannot be told to a model. */
export function wantedOutput(
  schema: StandardSchema,
  given: Record<string, unknown> | undefined,
): WantedOutput {
  const described = given ?? jsonSchemaOf(schema, "send.output", "send.outputJsonSchema");
  const { $schema: _, ...jsonSchema } = described;
  return { schema, jsonSchema };
}

/** What of a turn is about its data. */
interface TurnWithOutput {
  readonly wanted: WantedOutput | undefined;
  /** How often the model has tried. */
  outputTries: number;
  readonly answer: string;
  answered: boolean;
  /** What the schema made of the answer, once it fits. */
  fitting: { value: unknown } | undefined;
  end(ending: Ending): void;
}

/** Before the Stop hooks are asked: an answer that does not fit is not the end of the turn, and the model hears why. */
export async function checkOutput(
  turn: TurnWithOutput,
  messages: Pick<MessageManager, "addUserMessage">,
): Promise<void> {
  if (!turn.wanted) return;
  turn.outputTries++;
  const read = await readOutput(turn.wanted, turn.answer);
  if (read.fits) {
    turn.fitting = { value: read.value };
    return;
  }
  turn.answered = false;
  if (turn.outputTries < OUTPUT_TRIES) {
    messages.addUserMessage(
      `Your answer does not fit the schema: ${read.why}. Answer again with the JSON value alone, and nothing else.`,
    );
    return;
  }
  const reason = `the answer does not fit the schema of the output, also after ${OUTPUT_TRIES} tries: ${read.why}`;
  turn.end({ because: "output-misfit", reason });
}

export type ReadOutput = { fits: true; value: unknown } | { fits: false; why: string };

/** The data in an answer: JSON, alone or in a code fence. */
export async function readOutput({ schema }: WantedOutput, answer: string): Promise<ReadOutput> {
  const json = jsonIn(answer);
  if (json === undefined) return { fits: false, why: "it is not JSON" };
  let result: StandardResult<unknown>;
  try {
    result = await schema["~standard"].validate(json.value);
  } catch (error) {
    // A mistake in the program's own schema: asking the model again would not mend it, but it is bounded and said.
    return {
      fits: false,
      why: `the schema failed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  if (result.issues === undefined) return { fits: true, value: result.value };
  return { fits: false, why: result.issues.map(describeIssue).join("; ") };
}

function jsonIn(answer: string): { value: unknown } | undefined {
  const fenced = /^[^`]*```(?:json)?\s*\n([\s\S]*?)\n?```[^`]*$/.exec(answer)?.[1];
  for (const text of [answer, ...(fenced === undefined ? [] : [fenced])]) {
    try {
      return { value: JSON.parse(text) };
    } catch {
      // Perhaps the next form is.
    }
  }
  return undefined;
}

function describeIssue({ message, path = [] }: StandardIssue): string {
  const at = path.map((step) => String(typeof step === "object" ? step.key : step)).join(".");
  return at === "" ? message : `${at}: ${message}`;
}
