import { SettingsReviewPanel } from "../../components/SettingsReviewPanel.tsx";
import { answerReview } from "../reviewing.ts";
import type { PanelProps } from "./panelScreen.ts";

export function Review(props: PanelProps<"review">) {
  const { columns, rows, folder, opening, session, controller, onClose, onOpen } = props;
  const { review, came } = opening;
  return (
    <SettingsReviewPanel
      {...{ columns, rows, folder, review, came }}
      key={review.id}
      onAnswer={(answer) => {
        onClose();
        void answerReview(review, answer, { controller, session, open: onOpen });
      }}
    />
  );
}
