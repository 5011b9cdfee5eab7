import { HOOKS_KEYS } from "../panels/hooksView.ts";
import { HookPage, type HookPageProps } from "./HookPage.tsx";

export type HookWhyProps = Omit<HookPageProps, "title" | "keys" | "note"> & {
  about: "last call" | "this call";
};

/** Why one call ran, or did not, in plain words. */
export function HookWhy({ about, ...page }: HookWhyProps) {
  return (
    <HookPage
      {...page}
      title={about === "this call" ? "Why this call" : "Why the last call"}
      keys={HOOKS_KEYS.why}
    />
  );
}
