import type { SettingsReview } from "wave-agent-sdk";
import type { Came } from "../keyboard/guard.ts";
import type { PanelKey } from "../panels/frame.ts";
import { say } from "../panels/lines.ts";
import { changeLines, reviewLines } from "../trust/review.ts";
import type { Line } from "../view/span.ts";
import { ReviewQuestion } from "./ReviewQuestion.tsx";

export type ReviewAnswer = "take" | "keep";

const KEYS: readonly PanelKey[] = [
  { keys: "↑↓", does: "scroll" },
  { keys: "y", does: "take all of it over" },
  { keys: "n, Esc", does: "keep the old settings" },
];

/** What changed on disk or was never approved, for a person to take over or to leave. */
export function SettingsReviewPanel(props: {
  review: SettingsReview;
  folder: string;
  columns: number;
  rows: number;
  came: Came;
  onAnswer: (answer: ReviewAnswer) => void;
}) {
  const { review, folder, ...rest } = props;
  return (
    <ReviewQuestion<ReviewAnswer>
      {...rest}
      name="review"
      title={titleOf(review)}
      lines={[
        ...introduction(review),
        ...changeLines(review, folder),
        ...(review.project ? reviewLines(review.project) : []),
      ]}
      keys={KEYS}
      answers={{ y: "take", n: "keep" }}
      yes="take"
      close="keep"
    />
  );
}

const isChange = ({ changes, project }: SettingsReview) =>
  changes.length > 0 || project?.items.some(({ state }) => state === "changed") === true;

const titleOf = (review: SettingsReview) =>
  isChange(review) ? "Changed on disk: take it over?" : "Do you trust this folder?";

function introduction(review: SettingsReview): Line[] {
  const says = isChange(review)
    ? "The old settings stay active until you press y."
    : "Its files bring something that nobody approved. It is off until you say y.";
  return [[say("plain", says)], []];
}
