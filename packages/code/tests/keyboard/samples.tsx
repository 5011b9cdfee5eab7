import { Text } from "ink";
import { useEffect, useState, type ReactElement, type ReactNode } from "react";
import type { PendingPermission, ProjectTrust, RewindPoint, SettingsReview } from "wave-agent-sdk";
import type { Clock } from "../../src/asking/clock.ts";
import { DoctorPanel } from "../../src/components/DoctorPanel.tsx";
import { FirstStart } from "../../src/components/FirstStart.tsx";
import { HelpPanel } from "../../src/components/HelpPanel.tsx";
import { HooksPanel } from "../../src/components/HooksPanel.tsx";
import { ModelPicker } from "../../src/components/ModelPicker.tsx";
import { OpenedPanel } from "../../src/components/OpenedPanel.tsx";
import { PermissionDialog } from "../../src/components/PermissionDialog.tsx";
import { PermissionsPanel } from "../../src/components/PermissionsPanel.tsx";
import { RefusedSessionPanel } from "../../src/components/RefusedSessionPanel.tsx";
import { RewindPanel } from "../../src/components/RewindPanel.tsx";
import { SessionPicker } from "../../src/components/SessionPicker.tsx";
import { SettingsReviewPanel } from "../../src/components/SettingsReviewPanel.tsx";
import { TasksPanel } from "../../src/components/TasksPanel.tsx";
import { TrustReview } from "../../src/components/TrustReview.tsx";
import { HookEventProvider, useAsking } from "../../src/contexts/HookEventContext.tsx";
import type { CoverName } from "../../src/keyboard/covers.ts";
import { useToDraft } from "../../src/keyboard/Keyboard.tsx";
import type { Item } from "../../src/view/items.ts";
import { bash, pending, PUSH_RULE } from "../asking/requests.ts";
import { FOLDER, hook, session, state, tallyOf } from "../panels/samples.ts";
import type { KeyName } from "../terminal/support/keys.ts";

/** What a question or panel did, in a word. "close" leaves everything as it is. */
export type Act = (what: string) => void;

export interface CoverSample {
  what: string;
  /** Whether it has a line to write in. */
  letters: "are-keys" | "are-typed";
  came: "by-itself" | "opened";
  draw: (act: Act, clock: Clock) => ReactElement;
  /** Keys that make it act, each after a pause. */
  answer: readonly KeyName[];
}

const SIZE = { columns: 80, rows: 20 };

/** Every kind of question: together they offer every choice there is, and a test sees to that. */
export const QUESTIONS: readonly { what: string; request: PendingPermission; answer?: KeyName[] }[] = [
  {
    what: "a call",
    request: pending({ rule: { ...PUSH_RULE, choices: [...PUSH_RULE.choices, { rules: ["Bash(git:*)"] }] } }),
  },
  {
    what: "a prompt that a hook asks about",
    request: pending({ toolName: "prompt", input: { prompt: "hi" } }),
  },
  {
    what: "a command of the person's",
    request: pending({ origin: "person", askedBy: ["hook judge (x)"] }),
  },
  {
    what: "an edit",
    request: pending({
      toolName: "Write",
      input: { file_path: "/a", content: "x" },
      rule: { ...PUSH_RULE, mode: "acceptEdits" },
    }),
    answer: [letter("a")],
  },
  {
    what: "a value that an MCP server asks for",
    request: pending({
      toolName: "mcp__db",
      wants: { label: "Name", kind: "text", required: true, place: "1 of 1" },
    }),
    answer: [letter("n")],
  },
  {
    what: "a question of the model's",
    request: pending({
      toolName: "AskUserQuestion",
      input: {
        questions: [
          {
            question: "Which?",
            header: "Which",
            options: [{ label: "a" }, { label: "b" }],
            multiSelect: false,
          },
        ],
      },
    }),
    answer: [letter("n")],
  },
  { what: "a hook that failed", request: pending({ failedHooks: [failedHook()] }) },
  { what: "hidden characters", request: bash("echo \u202eoops"), answer: [letter("y"), letter("c")] },
  { what: "more than a screen", request: bash("make\n".repeat(25)), answer: [letter("n")] },
];

/** At least one for everything that takes keys; the type and a test see to that. */
export const SAMPLES: Record<CoverName, readonly CoverSample[]> = {
  question: QUESTIONS.map(({ what, request, answer }) => question(what, request, answer)),
  trust: [
    {
      what: "a project's hook",
      letters: "are-keys",
      came: "by-itself",
      answer: [letter("y")],
      draw: (act) => <TrustReview trust={TRUST} folder="~/clone" onAnswer={act} />,
    },
  ],
  review: (["by-itself", "opened"] as const).map((came) => ({
    what: `changed settings, ${came}`,
    letters: "are-keys",
    came,
    answer: [letter("y")],
    draw: (act) => (
      <SettingsReviewPanel
        {...SIZE}
        {...{ came, review: REVIEW, folder: FOLDER }}
        onAnswer={(answer) => act(came === "opened" && answer === "keep" ? "close" : answer)}
      />
    ),
  })),
  "first-start": [
    {
      what: "no model",
      letters: "are-keys",
      came: "by-itself",
      answer: ["enter"],
      draw: (act) => (
        <FirstStart facts={{ version: "1", problem: undefined, local: undefined }} onChoose={act} />
      ),
    },
  ],
  "refused-session": (["by-itself", "opened"] as const).map((came) => ({
    what: `a session that is open elsewhere, ${came}`,
    letters: "are-keys",
    came,
    answer: [letter("c")],
    draw: (act) => (
      <RefusedSessionPanel
        {...SIZE}
        came={came}
        refused={{ because: "held", held: { sessionId: "1", by: "process 7" } }}
        onChoose={() => act("copy")}
        onChooseAnother={() => act(came === "opened" ? "close" : "another")}
        onClose={() => act("close")}
      />
    ),
  })),
  sessions: [
    {
      what: "earlier sessions",
      letters: "are-typed",
      came: "opened",
      answer: ["esc", "enter"],
      draw: (act) => (
        <SessionPicker
          {...SIZE}
          sessions={[session()]}
          searchTexts={async function* () {}}
          now={0}
          onResume={() => act("resume")}
          onClose={() => act("close")}
        />
      ),
    },
  ],
  models: [
    {
      what: "models",
      letters: "are-typed",
      came: "opened",
      answer: ["esc", "enter"],
      draw: (act) => <Models act={act} />,
    },
  ],
  rewind: [
    {
      what: "earlier prompts",
      letters: "are-keys",
      came: "opened",
      answer: ["enter", "enter"],
      draw: (act) => (
        <RewindPanel
          {...SIZE}
          points={POINTS}
          planFor={PLAN}
          folder={FOLDER}
          now={0}
          onRewind={() => act("rewind")}
          onClose={() => act("close")}
        />
      ),
    },
  ],
  hooks: [
    {
      what: "hooks",
      letters: "are-keys",
      came: "opened",
      answer: ["space"],
      draw: (act) => (
        <HooksPanel
          {...SIZE}
          hooks={HOOKS}
          stats={tallyOf([])}
          history={[]}
          folder={FOLDER}
          waits="1 hook waits"
          onReview={() => act("review")}
          onSwitch={() => act("switch")}
          onClose={() => act("close")}
        />
      ),
    },
  ],
  permissions: [
    {
      what: "a rule",
      letters: "are-keys",
      came: "opened",
      answer: [letter("x"), "enter"],
      draw: (act) => (
        <PermissionsPanel
          {...SIZE}
          rules={[{ rule: "Bash(ls:*)", behavior: "allow", scope: "session", state: "active" }]}
          files={["session"]}
          recent={{ decisions: [], sessions: 0 }}
          folder={FOLDER}
          said={undefined}
          now={0}
          onChange={({ from }) => act(`remove ${from?.rule}`)}
          onSay={act}
          onClose={() => act("close")}
        />
      ),
    },
  ],
  tasks: [
    {
      what: "a command that runs",
      letters: "are-keys",
      came: "opened",
      answer: [letter("x")],
      draw: (act) => (
        <TasksPanel
          {...SIZE}
          tasks={[
            {
              kind: "command",
              id: "bash_1",
              title: "npm run dev",
              since: 0,
              state: "running",
              output: "ready\n",
            },
          ]}
          now={61_000}
          onEnd={(id) => act(`end ${id}`)}
          onClose={() => act("close")}
        />
      ),
    },
  ],
  help: [
    reading("help", (act) => <HelpPanel rows={HELP} columns={80} height={12} onClose={() => act("close")} />),
  ],
  doctor: [
    reading("doctor", (act) => <DoctorPanel {...SIZE} findings="looking" onClose={() => act("close")} />),
  ],
  opened: [
    reading("what is folded", (act) => (
      <OpenedPanel {...SIZE} finished={FOLDED} live={[]} folder={FOLDER} onClose={() => act("close")} />
    )),
  ],
};

function letter(text: string): KeyName {
  // What a terminal sends for a letter is the letter.
  return text as KeyName;
}

function reading(what: string, draw: (act: Act) => ReactElement): CoverSample {
  return { what, letters: "are-keys", came: "opened", answer: [letter("q")], draw };
}

function question(what: string, request: PendingPermission, answer = [letter("y")]): CoverSample {
  return {
    what,
    letters: "are-keys",
    came: "by-itself",
    answer,
    draw: (act, clock) => <Asking requests={[request, { ...request, id: "r2" }]} act={act} clock={clock} />,
  };
}

/** Two questions, one after the other. */
function Asking(props: { requests: PendingPermission[]; act: Act; clock: Clock }): ReactNode {
  const toDraft = useToDraft();
  return (
    <HookEventProvider
      agent={{
        answerPermission: (id, { decision }) => (props.act(`${decision} ${id}`), true),
        allowRule: async () => props.act("rule"),
      }}
      onToDraft={({ typed }) => toDraft(typed)}
      onInterrupt={() => props.act("interrupt")}
      onMode={(mode) => props.act(`mode ${mode}`)}
      onNotice={() => {}}
      clock={props.clock}
      listen={(onEvent) => {
        for (const request of props.requests) onEvent({ type: "permission_requested", request });
        return () => {};
      }}
    >
      <Question act={props.act} />
    </HookEventProvider>
  );
}

function Question({ act }: { act: Act }): ReactNode {
  const { visible, asks, ...asking } = useAsking();
  if (!visible || asks === undefined) return <Text>no question</Text>;
  return <PermissionDialog {...asking} {...{ visible, asks }} {...SIZE} onStop={() => act("stop")} />;
}

/** Its list comes a moment after it. */
function Models({ act }: { act: Act }): ReactNode {
  const [isThere, setThere] = useState(false);
  useEffect(() => void setImmediate(() => setThere(true)), []);
  return (
    <ModelPicker
      {...SIZE}
      shown={
        isThere
          ? { are: "listed", models: [{ name: "a-model", contextSize: undefined }] }
          : { are: "loading" }
      }
      present={undefined}
      onChoose={() => act("choose")}
      onClose={() => act("close")}
    />
  );
}

function failedHook(): NonNullable<PendingPermission["failedHooks"]>[number] {
  return {
    id: "h",
    name: "guard",
    source: "/p/.wave/settings.json:6",
    kind: "timeout",
    onError: "block",
    message: "hook failed: guard timed out",
    mayPass: "session",
    attempt: 1,
  };
}

const HOOKS = [state(hook()), state(hook({ name: "other", line: 9 }))];
const HELP = Array.from({ length: 30 }, (_, index) => ({
  keys: `F${index}`,
  does: `does ${index}`,
  where: "Keys",
}));
const FOLDED: Item[] = [
  {
    id: "1",
    role: "assistant",
    block: { type: "reasoning", content: "why\nso\n".repeat(30) },
    spaced: false,
  },
];
const POINTS: RewindPoint[] = [
  { messageId: "m1", firstLine: "first prompt", at: "2026-11-15T09:00:00.000Z", filesChanged: 1 },
];
const PLAN = async () => ({ prompt: "x", messages: 1, files: [], note: undefined });
const TRUST: ProjectTrust = {
  projectDir: "/clone",
  folder: "unknown",
  items: [],
  sha256: "0",
  warnings: [],
};
const REVIEW: SettingsReview = {
  about: "changes",
  id: "1",
  changes: [{ file: `${FOLDER}/guard`, is: "script", change: "changed", texts: undefined }],
  project: undefined,
  obstacle: undefined,
};
