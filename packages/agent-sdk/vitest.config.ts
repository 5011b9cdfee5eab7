import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.shared.ts";

export default defineConfig({
  ...shared,
  resolve: { ...shared.resolve, alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  test: { ...shared.test, name: "sdk", include: ["tests/**/*.test.ts"] },
});
