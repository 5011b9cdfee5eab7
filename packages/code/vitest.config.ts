import { configDefaults, defineConfig } from "vitest/config";
import { alone, shared } from "../../vitest.shared.ts";

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    name: "code",
    include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"],
    exclude: [...configDefaults.exclude, ...alone.code],
    isolate: false,
    globalSetup: ["tests/support/builtWave.ts"],
  },
});
