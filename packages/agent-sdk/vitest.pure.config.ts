import { defineConfig } from "vitest/config";
import { pure, shared } from "../../vitest.shared.ts";
import { alias } from "./vitest.config.ts";

export default defineConfig({
  ...shared,
  resolve: { ...shared.resolve, alias },
  test: { ...shared.test, name: "sdk pure", include: pure.sdk, isolate: false },
});
