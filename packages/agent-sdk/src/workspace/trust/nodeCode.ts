import { dirname, join, resolve } from "node:path";
import { plainFileAt } from "../files/plainFile.ts";
import { codeBelow, foldersUp, isFile, isFolder } from "./codeFolder.ts";
import { NODE } from "./languages.ts";
import { packageFields, targetsOf } from "./packageFile.ts";

/** Names in an import or a require, and other relative ones. */
const LOADED = /\b(?:from|import|require|resolve)\s*\(?\s*(["'`])([^"'`\\$\n]+)\1/g;
const RELATIVE = /(["'`])(\.{1,2}(?:\/[^"'`\\$\n]*)?)\1/g;

/** The package.json that Node goes by, and all that a name can mean: Node takes the first that is there. */
export function nodeCode(path: string, text: string, projectDir: string): string[] {
  const folder = dirname(path);
  const loaded = [...text.matchAll(LOADED)].map(([, , name = ""]) => name);
  const others = [...text.matchAll(RELATIVE)].map(([, , name = ""]) => name);
  const scope = foldersUp(folder, projectDir)
    .map((one) => join(one, "package.json"))
    .find(isFile);
  const relative = [...new Set([...loaded, ...others])].filter((name) => /^[./]/.test(name));
  const ofItself = loaded.filter((name) => !/^[./]/.test(name));
  return [
    ...(scope === undefined ? [] : [scope, ...filesOfPackage(scope, ofItself)]),
    ...relative.flatMap((name) =>
      filesMeantBy(resolve(folder, name), loaded.includes(name) ? "loaded" : "mentioned"),
    ),
  ];
}

function filesOfPackage(file: string, specifiers: readonly string[]): string[] {
  const fields = fieldsAt(file);
  const targets = fields ? specifiers.flatMap((one) => targetsOf(fields, one)) : [];
  return [...new Set(targets)].flatMap((target) => {
    const [before = "", after] = target.split("*");
    const place = resolve(dirname(file), before);
    if (after === undefined) return filesMeantBy(place, "loaded");
    const folder = before.endsWith("/") ? place : dirname(place);
    return codeBelow(folder, [NODE], { compiled: "is not read" });
  });
}

/** What is only mentioned may be data; beside it lies what would be loaded in the place of something else. */
export function filesMeantBy(place: string, how: "loaded" | "mentioned"): string[] {
  const isCode = how === "loaded" || NODE.loads.test(place);
  const main = isFolder(place) ? fieldsAt(join(place, "package.json"))?.["main"] : undefined;
  return [
    ...(isCode ? [place] : []),
    // What runs TypeScript reads x.ts for x.js.
    place.replace(/\.([cm]?)js(x?)$/, ".$1ts$2"),
    ...ENDINGS.flatMap((ending) => [place + ending, join(place, `index${ending}`)]),
    join(place, "package.json"),
    ...(typeof main === "string"
      ? ["", ...ENDINGS, "/index.js"].map((end) => resolve(place, main) + end)
      : []),
  ].filter((path) => (isCode || path !== place) && isFile(path));
}

/** What Node, or what runs TypeScript in its place, adds to a name. */
const ENDINGS = [".js", ".json", ".node", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"];

function fieldsAt(file: string): Record<string, unknown> | undefined {
  const bytes = plainFileAt(file);
  return bytes && packageFields(bytes);
}
