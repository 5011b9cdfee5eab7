import { availableParallelism } from "node:os";

const conditions = ["@wave/source", "node", "import", "default"];

/** What the tests of all packages have in common. */
export const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Real processes on a machine shared with others: a change is judged by a test that fails twice. Locally every failure shows.
    retry: process.env["CI"] ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Vitest's own second is nothing for a process on a busy machine; whoever waits goes on as soon as it is there.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // Half of the time a test waits for a process, a timer or the disk.
    maxWorkers: availableParallelism() + 1,
  },
};

/**
 * Files that need a process of their own: they replace modules, measure their process or colour it, or fill it with the leftovers of
 * thousands of sessions. All others share one process each worker: starting a new one and loading Wave into it takes longer than
 * most of them do. So a test leaves nothing behind: no variable, no listener, no clock that stands still.
 */
export const alone = {
  sdk: [
    ...["agent", "crash", "examples", "property", "soak"].map((folder) => `tests/${folder}/**/*.test.ts`),
    "tests/session/file/sessionSize.test.ts",
  ],
  code: ["tests/components/blocksColour.test.tsx"],
};
