import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder, PRIVATE_FILE } from "../input/privateFile.ts";

export type ClipboardPicture = { path: string } | { problem: string };

/** More than Wave sends: a picture of that size is refused with a sentence of its own. */
const MOST_BYTES = 32 * 1024 * 1024;

type Environment = Record<string, string | undefined>;

/** The programs that read a picture from the clipboard, where they can work at all. */
export function clipboardTools(env: Environment, platform: NodeJS.Platform): [string, ...string[]][] {
  if (platform === "darwin") return [["pngpaste", "-"]];
  return [
    ...(env["WAYLAND_DISPLAY"] ? [["wl-paste", "--type", "image/png"] as [string, ...string[]]] : []),
    ...(env["DISPLAY"]
      ? [["xclip", "-selection", "clipboard", "-t", "image/png", "-o"] as [string, ...string[]]]
      : []),
  ];
}

/** Keeps the picture that is in the clipboard as a private file below `home`, so that a prompt can name it. */
export async function clipboardPicture(
  home: string,
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<ClipboardPicture> {
  let ran = false;
  for (const [program, ...args] of clipboardTools(env, platform)) {
    const bytes = await outputOf(program, args, env);
    if (bytes === "not there") continue;
    ran = true;
    if (bytes.length === 0) continue;
    const folder = join(home, "pictures");
    makePrivateFolder(folder);
    const name = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
    const path = join(folder, `clipboard-${name}.png`);
    writeFileSync(path, bytes, { mode: PRIVATE_FILE });
    return { path };
  }
  return { problem: ran ? "the clipboard has no picture" : NO_TOOL };
}

const NO_TOOL =
  "no program reads pictures from the clipboard here; install wl-clipboard or xclip (Linux) or pngpaste (macOS), or paste the path of a file";

async function outputOf(program: string, args: string[], env: Environment): Promise<Buffer | "not there"> {
  const { promise, resolve } = Promise.withResolvers<Buffer | "not there">();
  // No more than it needs to reach the clipboard: the keys of the model are none of its business.
  const needed = ["PATH", "HOME", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XAUTHORITY"];
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "ignore"],
    env: Object.fromEntries(needed.map((name) => [name, env[name]])),
    timeout: 5_000,
  });
  const pieces: Buffer[] = [];
  let size = 0;
  child.stdout.on("data", (piece: Buffer) => {
    size += piece.length;
    if (size > MOST_BYTES) child.kill();
    else pieces.push(piece);
  });
  child.on("error", () => resolve("not there"));
  child.on("close", (code) => resolve(code === 0 ? Buffer.concat(pieces) : Buffer.alloc(0)));
  return promise;
}
