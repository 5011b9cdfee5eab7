import { HookPage, type HookPageProps } from "./HookPage.tsx";

export type HookWhyProps = Omit<HookPageProps, "title" | "note"> & {
  about: "last call" | "this call";
};

/** Why one call ran, or did not, in plain words. */
export function HookWhy({ about, ...page }: HookWhyProps) {
  return <HookPage {...page} title={about === "this call" ? "Why this call" : "Why the last call"} />;
}
