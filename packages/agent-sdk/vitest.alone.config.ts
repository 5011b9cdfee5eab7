import { defineConfig } from "vitest/config";
import { alone, shared } from "../../vitest.shared.ts";
import { alias } from "./vitest.config.ts";

export default defineConfig({
  ...shared,
  resolve: { ...shared.resolve, alias },
  test: { ...shared.test, name: "sdk alone", include: alone.sdk },
});
