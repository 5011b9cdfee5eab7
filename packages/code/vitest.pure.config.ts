import { defineConfig } from "vitest/config";
import { pure, shared } from "../../vitest.shared.ts";

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    name: "code pure",
    include: pure.code,
    isolate: false,
    globalSetup: ["tests/support/builtWave.ts"],
  },
});
