import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** One file of a program and all it imports: hundreds of processes would each spend half a second on reading the sources. */
export async function bundledProgram(source: URL): Promise<Disposable & { file: string }> {
  const folder = mkdtempSync(join(tmpdir(), "wave-program-"));
  const file = join(folder, "program.mjs");
  const bundle = await rolldown({
    input: source.pathname,
    platform: "node",
    external: ["@vscode/ripgrep"],
    // jsonc-parser's "main" is UMD and cannot be bundled; its "module" can.
    resolve: {
      conditionNames: ["@wave/source", "node", "import", "default"],
      mainFields: ["module", "main"],
    },
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
