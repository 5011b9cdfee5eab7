import type { RewoundFile } from "wave-agent-sdk";
import { shortenPaths } from "../utils/shortPath.ts";
import { plural } from "./hookWords.ts";

/** What a rewind would do to a file, in two or three words, and why it would not. */
export function willDo(file: RewoundFile): { does: string; why: string } {
  switch (file.outcome) {
    case "restored":
      return { does: "put back", why: "" };
    case "merged":
      return { does: "put back", why: "what others changed in it stays" };
    case "removed":
      return { does: "remove", why: "Wave made it" };
    case "kept":
      return { does: "leave", why: file.why };
  }
}

const DID: Record<RewoundFile["outcome"], string> = {
  restored: "put back",
  merged: "put back, with what others changed in it:",
  removed: "removed",
  kept: "left as it is:",
};

/** What was done to files, one line each, for the person who asked for it. */
export function fileLines(files: readonly RewoundFile[], folder: string): string[] {
  return files.map((file) => {
    const why = file.outcome === "kept" ? ` (${file.why})` : "";
    return `${DID[file.outcome]} ${shortenPaths(file.path, folder)}${why}`;
  });
}

/** "3 files put back, 1 left as it is" */
export function countFiles(files: readonly RewoundFile[]): string {
  const kept = files.filter(({ outcome }) => outcome === "kept").length;
  const done = files.length - kept;
  if (files.length === 0) return "no file of this session was changed";
  if (kept === 0) return `${plural(done, "file")} as before`;
  return `${plural(done, "file")} as before, ${kept} left as ${kept === 1 ? "it is" : "they are"}`;
}
