import { useEffect, useRef } from "react";
import type { SettingsReview } from "wave-agent-sdk";
import type { ReviewAnswer } from "../components/SettingsReviewPanel.tsx";
import type { Came } from "../keyboard/guard.ts";
import { plural } from "../panels/hookWords.ts";
import type { CommandScreen } from "./commandScreen.ts";

interface Screen {
  controller: Pick<CommandScreen["controller"], "notice">;
  session: Pick<CommandScreen["session"], "hooks" | "reviewSettings" | "takeSettings">;
  open: CommandScreen["open"];
}

/** Shows what waits for a person, or says why there is nothing to answer. */
export function openReview(
  about: SettingsReview["about"],
  came: Came,
  { controller, session, open }: Screen,
): void {
  const review = session.reviewSettings(about);
  if (!review) {
    const hooks = plural(session.hooks().filter(({ off }) => !off).length, "hook");
    return controller.notice("info", `nothing to review: ${hooks} active, as on disk`);
  }
  if (review.obstacle !== undefined)
    return controller.notice("warning", `settings were not read again: ${review.obstacle}`);
  open({ show: "review", review, came });
}

/** What a person said to a review. A yes is for what was shown: what changed again since is shown again. */
export async function answerReview(
  review: SettingsReview,
  answer: ReviewAnswer,
  screen: Screen,
): Promise<void> {
  const { controller, session, open } = screen;
  if (answer === "keep") return controller.notice("warning", KEPT);
  const outcome = await session.takeSettings(review);
  if (outcome.reloaded)
    return controller.notice("info", `settings were read again: ${plural(outcome.hooks, "hook")}`);
  controller.notice("warning", `settings were not read again: ${outcome.why}`);
  const now = session.reviewSettings(review.about);
  if (now && now.id !== review.id && now.obstacle === undefined)
    open({ show: "review", review: now, came: "by-itself" });
}

const KEPT = "the old settings stay active; /hooks trust shows the new ones";

/**
 * A change that was noticed is asked about as soon as nothing else covers the chat. A review shows all that waits, so changes that
 * were noticed one after the other are one question: the same review is not shown a second time.
 */
export function useChangeQuestion(noticed: number, isChat: boolean, screen: Screen): void {
  const asked = useRef<{ noticed: number; id: string | undefined }>({ noticed: 0, id: undefined });
  const latest = useRef(screen);
  latest.current = screen;
  useEffect(() => {
    if (noticed === asked.current.noticed || !isChat) return;
    // Undefined: it is by now what it was.
    const review = latest.current.session.reviewSettings("changes");
    const isNew = review !== undefined && review.id !== asked.current.id;
    asked.current = { noticed, id: review?.id };
    if (isNew) openReview("changes", "by-itself", latest.current);
  }, [noticed, isChat]);
}
