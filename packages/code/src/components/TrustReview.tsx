import { Box, useWindowSize } from "ink";
import type { ProjectTrust } from "wave-agent-sdk";
import type { PanelKey } from "../panels/frame.ts";
import { say } from "../panels/lines.ts";
import { reviewLines } from "../trust/review.ts";
import { ReviewQuestion } from "./ReviewQuestion.tsx";

export type TrustAnswer = "yes" | "no" | "leave";

const KEYS: readonly PanelKey[] = [
  { keys: "↑↓", does: "scroll" },
  { keys: "y", does: "approve all of it" },
  { keys: "n", does: "go on without it" },
  { keys: "Esc", does: "leave" },
];

/** A project's own hooks and rules, in full, before any of them counts. Enter does nothing: a yes is a letter (G24). */
export function TrustReview({
  trust,
  folder,
  onAnswer,
}: {
  trust: ProjectTrust;
  folder: string;
  onAnswer: (answer: TrustAnswer) => void;
}) {
  const { columns, rows } = useWindowSize();
  return (
    <Box width={columns}>
      <ReviewQuestion<TrustAnswer>
        name="trust"
        came="by-itself"
        title="Do you trust this folder?"
        lines={[...introduction(trust, folder), ...reviewLines(trust)]}
        keys={KEYS}
        columns={columns}
        rows={rows - 1}
        answers={{ y: "yes", n: "no" }}
        yes="yes"
        close="leave"
        onAnswer={onAnswer}
        onCancel={() => onAnswer("leave")}
      />
    </Box>
  );
}

function introduction(trust: ProjectTrust, folder: string) {
  const changed = trust.items.some(({ state }) => state === "changed");
  const programs = trust.items.some(({ item }) => item.kind === "hook");
  const what = programs
    ? "Its files bring programs that would run on your machine. None has run so far."
    : "Its files bring what is shown here. Nothing of it has been used so far.";
  return [
    [say("strong", folder)],
    [
      say(
        "plain",
        changed ? "Something that you approved has changed. Nothing new has been used so far." : what,
      ),
    ],
    [],
  ];
}
