import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.shared.ts";

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    name: "code",
    include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"],
    globalSetup: ["tests/support/builtWave.ts"],
  },
});
