import { render } from "ink-testing-library";
import { describe, expect, it } from "vitest";
import { useChangeQuestion } from "../../src/app/reviewing.ts";

/** What is noticed, whether the chat is free, and what waits on disk at that moment; then which reviews were opened. */
type Moment = [noticed: number, isChat: boolean, onDisk: string | undefined];

describe("the moment to ask about changed settings", () => {
  it.each<{ name: string; moments: Moment[]; opened: string[] }>([
    { name: "one change", moments: [[1, true, "a"]], opened: ["a"] },
    {
      name: "two that one review showed, the second noticed while it was open",
      moments: [
        [1, true, "both"],
        [1, false, "both"],
        [2, false, "both"],
        [2, true, "both"],
      ],
      opened: ["both"],
    },
    {
      name: "one that came after the review was shown",
      moments: [
        [1, true, "first"],
        [2, false, "both"],
        [2, true, "both"],
      ],
      opened: ["first", "both"],
    },
    {
      name: "one that is taken back before anybody could be asked",
      moments: [
        [1, false, "a"],
        [1, true, undefined],
      ],
      opened: [],
    },
    {
      name: "one that comes again after nothing waited any more",
      moments: [
        [1, true, "a"],
        [2, true, undefined],
        [3, true, "a"],
      ],
      opened: ["a", "a"],
    },
  ])("is once for all that one review shows: $name (T83)", ({ moments, opened }) => {
    const shown: string[] = [];
    const Asker = ({ moment: [noticed, isChat, onDisk] }: { moment: Moment }) => {
      useChangeQuestion(noticed, isChat, {
        controller: { notice: () => {} },
        session: {
          hooks: () => [],
          reviewSettings: (about) =>
            onDisk === undefined
              ? undefined
              : { about, id: onDisk, changes: [], project: undefined, obstacle: undefined },
          takeSettings: () => Promise.resolve({ reloaded: true, hooks: 0 }),
        },
        open: (overlay) => void (overlay.show === "review" && shown.push(overlay.review.id)),
      });
      return null;
    };
    const { rerender, unmount } = render(<Asker moment={[0, true, undefined]} />);
    for (const moment of moments) rerender(<Asker moment={moment} />);
    unmount();
    expect(shown).toEqual(opened);
  });
});
