import type { FoundDrafts } from "../input/draft.ts";

/** What a person is told of text in the input that they have not typed there, and of text that is not. */
export function draftNotices({
  notProcessed,
  takenOver,
  unseen,
}: FoundDrafts): { level: "info" | "warning"; text: string }[] {
  const whose = takenOver === 1 ? "an earlier Wave" : `${takenOver} earlier Waves`;
  const what = notProcessed === 1 ? "1 message was" : `${notProcessed} messages were`;
  return [
    ...(notProcessed === 0
      ? []
      : [
          {
            level: "warning" as const,
            text: `${what} sent and not processed: back in the input`,
          },
        ]),
    ...(takenOver === 0
      ? []
      : [{ level: "info" as const, text: `unsent text of ${whose} is back in the input` }]),
    ...unseen.map((file) => ({
      level: "warning" as const,
      text: `unsent text of a Wave on another machine or in a container, which cannot be seen from here, stays in ${file}`,
    })),
  ];
}
