import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { alone, shared } from "../../vitest.shared.ts";

export const alias = { "@": fileURLToPath(new URL("src", import.meta.url)) };

export default defineConfig({
  ...shared,
  resolve: { ...shared.resolve, alias },
  test: {
    ...shared.test,
    name: "sdk",
    include: ["tests/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...alone.sdk],
    isolate: false,
  },
});
