import { defineConfig } from "vitest/config";

const conditions = ["@wave/source", "node", "import", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: "code",
    include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"],
    globalSetup: ["tests/support/builtWave.ts"],
    // Real processes on a machine shared with others: a change is judged by a test that fails twice. Locally every failure shows.
    retry: process.env["CI"] ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
