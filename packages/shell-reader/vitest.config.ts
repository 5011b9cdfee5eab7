import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.shared.ts";

export default defineConfig({
  ...shared,
  test: { ...shared.test, name: "reader", include: ["tests/**/*.test.ts"], isolate: false },
});
