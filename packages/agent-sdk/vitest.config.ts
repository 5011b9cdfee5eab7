import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const conditions = ["@wave/source", "node", "import", "default"];

export default defineConfig({
  resolve: { conditions, alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  ssr: { resolve: { conditions } },
  test: { name: "sdk", include: ["tests/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
