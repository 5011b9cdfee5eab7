import type { PermissionOption, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { PendingPermission, PermissionAnswer } from "wave-agent-sdk";
import { answerWith, questionIn, questionText } from "../asking/question.ts";
import { toolTitle } from "./toolTitle.ts";
import { diffsOf, kindOf, shown } from "./updates.ts";

/** A choice of the person's, and what it means. */
interface Choice extends PermissionOption {
  answer: PermissionAnswer;
  /** Rules that are kept for the session with it. */
  rules?: readonly string[];
}

/** What a person can say to a question. Pure. */
export function choicesOf(request: PendingPermission): Choice[] {
  const { failedHooks = [], rule } = request;
  const no: Choice[] = [
    {
      optionId: "deny",
      name: "No, go on without it",
      kind: "reject_once",
      answer: { decision: "deny", turn: "go-on" },
    },
    { optionId: "stop", name: "No, and stop", kind: "reject_once", answer: { decision: "deny" } },
  ];
  if (failedHooks.length > 0) return [...aboutFailures(failedHooks), ...no];
  const question = questionIn(request);
  if (question)
    return [
      ...question.options.map(({ label }, index) => ({
        optionId: `option-${index + 1}`,
        name: label,
        kind: "allow_once" as const,
        answer: answerWith(request, label),
      })),
      ...no,
    ];
  const rules = rule.offered ? rule.choices[0]?.rules : undefined;
  return [
    { optionId: "allow", name: "Yes", kind: "allow_once", answer: { decision: "allow" } },
    ...(rules
      ? [
          {
            optionId: "allow-rule",
            name: `Yes, and allow ${rules.join(", ")} in this session`,
            kind: "allow_always" as const,
            answer: { decision: "allow" as const },
            rules,
          },
        ]
      : []),
    ...no,
  ];
}

/** Hooks that failed hold it back: they are asked again, or the person goes on without them. */
function aboutFailures(failedHooks: NonNullable<PendingPermission["failedHooks"]>): Choice[] {
  const names = failedHooks.map(({ name }) => name).join(", ");
  const passable = failedHooks.every(({ mayPass }) => mayPass !== "never");
  const without = failedHooks.map(({ id }) => id);
  return [
    {
      optionId: "retry",
      name: `Ask ${names} again`,
      kind: "allow_once",
      answer: { decision: "retry" },
    },
    ...(passable
      ? [
          {
            optionId: "without",
            name: `Yes, once without ${names}`,
            kind: "allow_once" as const,
            answer: { decision: "allow" as const, without },
          },
        ]
      : []),
  ];
}

/** What is asked about, as the editor shows it: who asks and why, and exactly what would run. */
export function askedCall(request: PendingPermission): ToolCallUpdate {
  const { toolName, toolUseId, input, change, reason, askedBy, id, agent } = request;
  const diff: ToolCallContent[] = change
    ? [{ type: "diff", path: change.path, oldText: change.before ?? null, newText: change.after }]
    : diffsOf(toolName, input);
  const question = questionIn(request);
  const who = [...askedBy, ...(agent ? [`sub-agent ${agent.type} (${agent.description})`] : [])].join(", ");
  return {
    toolCallId: toolUseId ?? `prompt-${id}`,
    title: toolName === "prompt" ? "Your prompt" : toolTitle(toolName, input),
    kind: kindOf(toolName),
    rawInput: input,
    content: [
      ...diff,
      ...(question ? [shown(questionText(question))] : []),
      shown(`Asked by ${who}${reason === "" ? "" : `: ${reason}`}`),
    ],
  };
}
