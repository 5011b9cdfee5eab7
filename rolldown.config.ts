import { defineConfig } from "rolldown";

// One bundle for the command `wave`: a user's machine needs no build tool and no source tree to start it.
export default defineConfig({
  input: { cli: "packages/code/src/cli.ts" },
  platform: "node",
  external: ["@vscode/ripgrep"],
  resolve: {
    conditionNames: ["@wave/source", "node", "import", "default"],
    // jsonc-parser's "main" is UMD and cannot be bundled; its "module" can.
    mainFields: ["module", "main"],
  },
  // Chunk names carry a hash: without cleanDir the chunks of every earlier build would be packed and shipped, too.
  output: {
    cleanDir: true,
    dir: "packages/code/dist",
    format: "esm",
    minify: true,
    chunkFileNames: "[name]-[hash].js",
  },
});
