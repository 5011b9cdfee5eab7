import { defineConfig } from "vitest/config";
import { alone, shared } from "../../vitest.shared.ts";

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    name: "code alone",
    include: alone.code,
    globalSetup: ["tests/support/builtWave.ts"],
  },
});
