import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const conditions = ["@wave/source", "node", "import", "default"];

export default defineConfig({
  resolve: { conditions, alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  ssr: { resolve: { conditions } },
  test: {
    name: "sdk",
    include: ["tests/**/*.test.ts"],
    // Real processes on a machine shared with others: a change is judged by a test that fails twice. Locally every failure shows.
    retry: process.env["CI"] ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
