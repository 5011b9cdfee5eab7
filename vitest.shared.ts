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
    // Half of the time a test waits for a process, a timer or the disk.
    maxWorkers: availableParallelism() + 1,
  },
};

/**
 * Tests of functions that start nothing and leave nothing behind. Their files share one process each worker: starting a new one
 * and loading Wave into it takes longer than most of them do.
 */
export const pure = {
  sdk: inFolders([
    "architecture",
    "conversation/turn",
    "hooks",
    "messages",
    "permissions",
    "requirements",
    "utils",
  ]),
  code: [
    "tests/*.test.ts",
    ...inFolders(["app", "asking", "input", "keyboard", "notifications", "panels", "trust", "view"]),
  ],
};

function inFolders(folders: readonly string[]): string[] {
  return folders.map((folder) => `tests/${folder}/**/*.test.{ts,tsx}`);
}
