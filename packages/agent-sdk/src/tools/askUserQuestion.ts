import { z } from "zod";
import { GatePass } from "./gatePass.ts";
import { refusal } from "./outcome.ts";
import { defineTool } from "./tool.ts";

const input = z.strictObject({
  questions: z
    .array(
      z.strictObject({
        question: z.string(),
        header: z.string().optional(),
        options: z
          .array(z.strictObject({ label: z.string(), description: z.string().optional() }))
          .min(2)
          .max(4),
        multiSelect: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(4),
  /** Filled in by whoever answers: a person, or a hook. */
  answers: z.record(z.string(), z.string()).optional(),
});

type Asked = z.infer<typeof input>;

const isAnswered = ({ questions, answers = {} }: Asked) =>
  questions.every(({ question }) => Object.hasOwn(answers, question));

/** The question is the gate's: a yes brings the answers along in the input. A hook may answer the same way. */
export const askUserQuestionTool = defineTool<Asked>({
  name: "AskUserQuestion",
  description: "Asks the user what you can neither find out nor decide.",
  input,
  parallel: false,
  pathFields: [],
  effect: (asked) => ({ does: isAnswered(asked) ? "nothing" : "ask-person" }),
  async run(pass) {
    const asked = GatePass.open(pass);
    const { questions, answers = {} } = asked;
    if (!isAnswered(asked))
      return refusal("The user was asked and gave no answer: decide yourself, and say what you chose.");
    const said = questions.map(({ question }) => `${question}\n${answers[question] ?? ""}`);
    return {
      success: true,
      result: `The user answered:\n\n${said.join("\n\n")}`,
      response: { questions, answers },
    };
  },
});
