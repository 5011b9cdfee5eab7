import { configDefaults, defineConfig } from "vitest/config";
import { pure, shared } from "../../vitest.shared.ts";

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    name: "code",
    include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"],
    exclude: [...configDefaults.exclude, ...pure.code],
    globalSetup: ["tests/support/builtWave.ts"],
  },
});
