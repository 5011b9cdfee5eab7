import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";
import { builtinsOnDemand } from "./scripts/bundle/builtinsOnDemand.ts";
import { quickWidths } from "./scripts/bundle/quickWidths.ts";

/**
 * Yoga unpacks its WebAssembly with fetch(), and the first fetch() of a program loads Node's whole HTTP client: a quarter of
 * the time to the first frame. Told that there is no fetch(), it decodes the same bytes itself.
 */
const yogaWithoutFetch = {
  name: "yoga-without-fetch",
  transform: {
    filter: { id: /yoga-wasm-base64-esm\.js$/ },
    handler(code: string): string {
      const test = `"function"!=typeof fetch`;
      if (!code.includes(test))
        throw new Error("yoga-layout looks for fetch() in another way now: see rolldown.config.ts");
      return code.replaceAll(test, "true");
    },
  },
};

// One bundle for the command `wave`: a user's machine needs no build tool and no source tree to start it.
export default defineConfig({
  input: { cli: "packages/code/src/cli.ts" },
  platform: "node",
  plugins: [yogaWithoutFetch, quickWidths, builtinsOnDemand],
  external: ["@vscode/ripgrep"],
  resolve: {
    conditionNames: ["@wave/source", "node", "import", "default"],
    // jsonc-parser's "main" is UMD and cannot be bundled; its "module" can.
    mainFields: ["module", "main"],
    // Ink's optional developer tools are not installed.
    alias: {
      "react-devtools-core": fileURLToPath(new URL("scripts/stubs/react-devtools-core.mjs", import.meta.url)),
    },
  },
  // React's development build is four times as large and slow.
  transform: { define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' } },
  // Chunk names carry a hash: without cleanDir the chunks of every earlier build would be packed and shipped, too.
  output: {
    cleanDir: true,
    dir: "packages/code/dist",
    format: "esm",
    minify: true,
    chunkFileNames: "[name]-[hash].js",
    // Every file costs time: to be found and read, and its compiled code. So each of these is one file, with everything it needs
    // that no group of a higher priority took: what every start needs, what the screen and `wave -p` share, the agent, and so on.
    codeSplitting: {
      groups: [
        // Not cli.ts, which awaits the end: whoever imported from its file would wait for itself.
        { name: "start", tags: ["$initial"], test: /(?<![\\/]code[\\/]src[\\/]cli\.ts)$/, priority: 4 },
        {
          name: "places",
          test: /[\\/](modes[\\/](places|interruption|environmentModel)|model[\\/]pricesAsOf)\.ts$/,
          priority: 3,
        },
        // How calls and widths are told, which the screen and `wave -p` both need: neither has to read the other for it.
        { name: "words", test: /[\\/]code[\\/]src[\\/]view[\\/]toolLine\.ts$/, priority: 3 },
        // With what several protocols share, so that a protocol is one file more and not four.
        {
          name: "agent",
          test: /[\\/]agent-sdk[\\/]src[\\/](agent|model[\\/](addresses|plainSchema|wireIds|layout|images|protocols[\\/]openaiModels))\.ts$/,
          priority: 2,
        },
        { name: "print", test: /[\\/]modes[\\/]print\.ts$/, priority: 1 },
        { name: "screen", test: /[\\/]modes[\\/]screen\.tsx$/, priority: 0 },
      ],
    },
  },
});
