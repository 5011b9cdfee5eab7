import type { PendingPermission, PermissionAnswer } from "wave-agent-sdk";

/** A question of the model's, as the tool AskUserQuestion asks it. */
export interface Question {
  question: string;
  options: readonly { label: string; description?: string }[];
  multiSelect?: boolean;
}

type Asked = Pick<PendingPermission, "toolName" | "input">;

/** The first one that has no answer so far; they are asked one after the other. Undefined: something else is asked. */
export function questionIn({ toolName, input }: Asked): Question | undefined {
  if (toolName !== "AskUserQuestion") return undefined;
  const given = answersIn(input);
  return (input["questions"] as readonly Question[]).find(({ question }) => !Object.hasOwn(given, question));
}

/** The yes that brings an answer along. */
export function answerWith(request: Asked, words: string): PermissionAnswer {
  const question = questionIn(request)?.question ?? "";
  const answers = { ...answersIn(request.input), [question]: words };
  return { decision: "allow", input: { ...request.input, answers } };
}

/** What can be chosen, with what it means. */
export function questionText({ question, options, multiSelect }: Question): string {
  const rows = options.map(({ label, description }, index) =>
    description === undefined ? `${index + 1} ${label}` : `${index + 1} ${label}: ${description}`,
  );
  const several = multiSelect ? ["Several may be true: write them in your own words."] : [];
  return [question, ...rows, ...several].join("\n");
}

const answersIn = (input: Asked["input"]) => (input["answers"] ?? {}) as Readonly<Record<string, string>>;
