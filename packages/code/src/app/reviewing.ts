import { useEffect, useRef } from "react";
import type { SettingsReview } from "wave-agent-sdk";
import type { ReviewAnswer } from "../components/SettingsReviewPanel.tsx";
import { plural } from "../panels/hookWords.ts";
import type { CommandScreen } from "./slashCommands.ts";

type Screen = Pick<CommandScreen, "controller" | "session" | "open">;

/** Shows what waits for a person, or says why there is nothing to answer. */
export function openReview(about: SettingsReview["about"], { controller, session, open }: Screen): void {
  const review = session.reviewSettings(about);
  if (!review) {
    const hooks = plural(session.hooks().filter(({ off }) => !off).length, "hook");
    return controller.notice("info", `nothing waits for review: ${hooks} in force, as on disk`);
  }
  if (review.obstacle !== undefined)
    return controller.notice("warning", `settings were not read again: ${review.obstacle}`);
  open({ show: "review", review });
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
  if (now && now.id !== review.id && now.obstacle === undefined) open({ show: "review", review: now });
}

const KEPT = "what was in force stays in force; /hooks trust shows what waits";

/** A change that was noticed is asked about as soon as nothing else covers the chat; each one once. */
export function useChangeQuestion(noticed: number, isChat: boolean, screen: Screen): void {
  const asked = useRef(0);
  const latest = useRef(screen);
  latest.current = screen;
  useEffect(() => {
    if (noticed === asked.current || !isChat) return;
    asked.current = noticed;
    // Undefined: it is by now what it was.
    if (latest.current.session.reviewSettings("changes")) openReview("changes", latest.current);
  }, [noticed, isChat]);
}
