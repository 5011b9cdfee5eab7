import { defineConfig } from "vitest/config";

const conditions = ["@wave/source", "node", "import", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: "code",
    include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"],
    globalSetup: ["tests/support/builtWave.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
