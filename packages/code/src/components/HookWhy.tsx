import type { WhyAbout } from "../panels/why.ts";
import { HookPage, type HookPageProps } from "./HookPage.tsx";

export type HookWhyProps = Omit<HookPageProps, "title" | "note"> & { about: WhyAbout };

const TITLES: Record<WhyAbout, string> = {
  "this call": "Why this call",
  "last call": "Why the last call",
  "this event": "Why this event",
  "last event": "Why the last event",
};

/** Why one call ran, or did not, in plain words; or what was decided at an event without a call. */
export function HookWhy({ about, ...page }: HookWhyProps) {
  return <HookPage {...page} title={TITLES[about]} />;
}
