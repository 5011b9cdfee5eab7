/**
 * What Wave promises, one sentence each. A test title cites the ids it proves; requirements.test.ts fails when an id
 * has no test, or when a title cites an id that is not here.
 */
export const REQUIREMENTS: Record<string, string> = {
  "FR-001": "A hook that exits with 0 succeeded.",
  "FR-002": "A hook that exits with 2 blocks.",
  "FR-003":
    "Every other way to end, also a timeout, a signal and a program that cannot be started, is an error that does not block.",
  "FR-004": "What a UserPromptSubmit hook prints with exit code 0 becomes context for the model.",
  "FR-005":
    "What PreToolUse, PostToolUse and Stop hooks print as plain text never reaches the model, nor does stderr of a hook that exited with 0.",
  "FR-006": "A PreToolUse hook that exits with 2 keeps the tool from running.",
  "FR-007": "The model reads the stderr of the PreToolUse hook that blocked its call.",
  "FR-008":
    "The model reads the stderr of a PostToolUse hook that exited with 2 in a message of role user, and goes on.",
  "FR-009": "A UserPromptSubmit hook that exits with 2 keeps the prompt from being processed.",
  "FR-010": "A blocked prompt leaves the conversation and everything on disk.",
  "FR-011": "Why a prompt was blocked is told to the user and not to the model.",
  "FR-012": "A Stop hook that exits with 2 keeps the turn going.",
  "FR-013": "The model reads the stderr of the Stop hook that kept the turn going.",
  "FR-014": "An error that does not block is shown to the user, and work goes on.",
  "FR-015": "One table with one row per event says what each event does.",
  "FR-016":
    "After a prompt with context the conversation has two user messages, the second with what the hook printed.",
  "FR-017": "The ToolBlock of a blocked call has the stderr of the hook as its result and success false.",
  "FR-018":
    "Feedback of a PostToolUse hook is a user message in the conversation; the tool's own result stays as it is.",
  "FR-019":
    "After a blocked prompt the conversation has no such user message, and an ErrorBlock in an assistant message says why.",
  "FR-020": "An ErrorBlock is never sent to the model.",
  "FR-021": "After a blocked stop the conversation has a user message with the stderr of the hook.",
  "SC-001":
    "No timer stands between the exit of a hook and its verdict, also when a grandchild keeps the pipes open.",
  "SC-002": "Context of a prompt hook goes into the model request of the same turn.",
  "SC-003": "Blocking blocks always: random hook sets run as real processes agree with an independent model.",
  "SC-004": "Every message reaches its recipient and nobody else, judged by the bytes sent to the model.",
  "SC-005": "An error that does not block never stops the work.",
  "SC-006": "All of it shows in agent.messages, in the session file and in the decision records.",
  "JO-1":
    "A hook may print one JSON object instead of using its exit code, with the same common fields on every event.",
  "JO-2": "PreToolUse JSON can allow, deny, ask, rewrite the input and add context.",
  "JO-3": "PostToolUse JSON can tell the model a reason at once and add context.",
  "JO-4": "UserPromptSubmit JSON can block the prompt, for the user's eyes only, and add context.",
  "JO-5": "Stop JSON can keep the turn going, with a reason for the model.",
  "JO-6":
    "What holds back counts even when its reason or event name is missing, with a warning; a rewrite that does not fit refuses the call.",
  "JO-7":
    "Valid JSON decides with any exit code but 2, which always blocks; broken output is a failure that onError speaks for.",
  "JO-8":
    "A JSON object is found between other text; of two the stricter counts; unknown fields are ignored and recorded.",
  "JO-9":
    "One schema per event gives the types, the runtime check, the JSON Schema file and the reference table.",
  "MB-1": "A WarnBlock is for the user and never sent to the model.",
  "MB-2": "A HookBlock goes to the model in a message of role user that names the hook.",
  "MB-3": "Both blocks are stored with the session and shown.",
  "PD-1":
    "An ask pauses the turn in a queue of at most 64, one question per call, while other sessions go on.",
  "PD-2":
    "Allow runs exactly the input that was shown; deny answers the call, ends the turn and gives the prompt back, and its words open the next turn.",
  "PD-3": "Where nobody can answer, ask is a deny that says so, and the turn goes on.",
  "PD-4":
    "The terminal keeps open questions, a bounded history of hooks, and validated preferences in one React context with four actions.",
  "TS-1":
    "With the model, hook and session services mocked, an agent opens no file, socket or process beyond reading settings.",
};
