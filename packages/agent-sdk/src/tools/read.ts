import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { z } from "zod";
import { holdFile, type Held } from "../workspace/files/held.ts";
import { codeOf } from "../process/startFailure.ts";
import { sha256 } from "../utils/sha256.ts";
import { GatePass } from "./gatePass.ts";
import { imageType, whyNoImage, whyTooLarge } from "./images.ts";
import { type KeptLine, LineReader } from "./lineReader.ts";
import { explainFailure } from "./explainFailure.ts";
import { cannotRun } from "./outcome.ts";
import { absolutePath, missing } from "./paths.ts";
import { looksBinary, whyElsewhere } from "./textFiles.ts";
import { defineTool, type CannotRun, type ToolCallContext, type ToolOutcome } from "./tool.ts";

const description =
  "Reads a file: text with line numbers (a number and a tab before each line are not part of it), or an image (png, jpg, gif, webp). Gives up to 2000 lines; use offset and limit for more.";

const input = z.strictObject({
  file_path: z.string().min(1).describe("Absolute path"),
  offset: z.int().min(0).optional().describe("First line, counted from 1"),
  limit: z.int().min(1).optional().describe("Number of lines"),
});
type ReadInput = z.infer<typeof input>;

const DEFAULT_LINES = 2000;
const LINE_LENGTH = 2000;
/** 2,000 lines of 2,000 characters would be four million: more than any model takes. */
const MAX_CHARACTERS = 100_000;

export const readTool = defineTool<ReadInput>({
  name: "Read",
  description,
  input,
  parallel: true,
  pathFields: ["file_path"],
  effect: (asked, session) => ({ does: "read", paths: [absolutePath(asked.file_path, session)] }),
  async preflight({ file_path }, { session, judgedFiles }) {
    const opened = await openReadable(absolutePath(file_path, session), judgedFiles);
    if ("problem" in opened) return opened;
    await opened.held.handle.close();
    return {};
  },
  async run(pass, context) {
    const asked = GatePass.open(pass);
    const path = absolutePath(asked.file_path, context.session);
    const opened = await openReadable(path, context.judgedFiles);
    if ("problem" in opened) return cannotRun(opened);
    await using held = opened.held;
    // By the name of what is open: whatever name it has besides, a rule may be about it.
    const kept = context.searchFilter?.(held.path);
    if (kept !== undefined)
      return cannotRun({ problem: `${path} is kept back by ${kept}. Nothing was read.` });
    const { image } = opened;
    try {
      return image
        ? showImage(path, image, { ...context, held })
        : await readText(path, asked, { ...context, held });
    } catch (error) {
      return cannotRun(whyUnreadable(path, error));
    }
  },
});

interface Image {
  mediaType: string;
  bytes: Buffer;
}

/** A file that Read can show, opened. `judged`: where it may lead. */
async function openReadable(
  path: string,
  judged: readonly string[] | undefined,
): Promise<CannotRun | { held: Held; image: Image | undefined }> {
  let held: Held | undefined;
  try {
    const elsewhere = await whyElsewhere(path, judged);
    if (elsewhere !== undefined) return { problem: elsewhere };
    const stats = await stat(path);
    if (stats.isDirectory()) return { problem: `${path} is a folder. Use LS to see what is in it.` };
    // Opening a pipe or a device can wait for ever.
    if (!stats.isFile()) return { problem: `${path} is not a regular file, so it cannot be read.` };
    held = await holdFile(path);
    const image = await imageIn(path, held, judged);
    if (!("problem" in image)) return { held, ...image };
    await held.handle.close();
    return image;
  } catch (error) {
    await held?.handle.close();
    return whyUnreadable(path, error);
  }
}

/** Why an open file is not shown, or the image that it is. */
async function imageIn(
  path: string,
  { handle, realPath, stats }: Held,
  judged: readonly string[] | undefined,
): Promise<CannotRun | { image: Image | undefined }> {
  // A link may have led elsewhere for just the moment in which the file was opened.
  if ((judged && !judged.includes(realPath)) || !stats.isFile())
    return { problem: `${path} was replaced while it was opened. Nothing was read; try again.` };
  const start = Buffer.alloc(8192);
  const { bytesRead } = await handle.read(start, 0, start.length, 0);
  const opening = start.subarray(0, bytesRead);
  const mediaType = imageType(opening);
  const tooMuch = whyNotShown(path, { mediaType, binary: looksBinary(opening), size: stats.size });
  if (tooMuch !== undefined) return { problem: tooMuch };
  if (mediaType === undefined) return { image: undefined };
  const bytes = await handle.readFile();
  const broken = whyNoImage(bytes, mediaType);
  return broken === undefined ? { image: { mediaType, bytes } } : { problem: `${path} ${broken}` };
}

type ReadContext = ToolCallContext & { held: Held };

function whyUnreadable(path: string, error: unknown): CannotRun {
  return codeOf(error) === "ENOENT" ? missing(path) : { problem: explainFailure("read", path, error) };
}

function whyNotShown(
  path: string,
  { mediaType, binary, size }: { mediaType: string | undefined; binary: boolean; size: number },
): string | undefined {
  if (mediaType !== undefined) return whyTooLarge(path, size);
  return binary ? `${path} is a binary file (${size} bytes), so it cannot be shown as text.` : undefined;
}

function showImage(path: string, { mediaType, bytes }: Image, { session, held }: ReadContext): ToolOutcome {
  session.files.remember(held.realPath, sha256(bytes));
  return {
    success: true,
    result: `The image ${path} (${mediaType}, ${bytes.length} bytes) is shown in the next message.`,
    response: { type: "image", file: { filePath: path, type: mediaType, originalSize: bytes.length } },
    images: [{ type: "image", mediaType, data: bytes.toString("base64"), path }],
  };
}

async function readText(path: string, asked: ReadInput, context: ReadContext): Promise<ToolOutcome> {
  const first = Math.max(1, asked.offset ?? 1);
  const window = {
    first,
    count: asked.limit ?? DEFAULT_LINES,
    lineLength: LINE_LENGTH,
    characters: MAX_CHARACTERS,
  };
  const lines = new LineReader(window);
  const hash = createHash("sha256");
  const decoder = new TextDecoder();
  // Without the signal: a stream that leaves the file open never ends, and would fail, unheard, at an interrupt long after.
  const stream = context.held.handle.createReadStream({ start: 0, autoClose: false });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    context.signal.throwIfAborted();
    hash.update(chunk);
    lines.push(decoder.decode(chunk, { stream: true }));
  }
  lines.push(decoder.decode());
  lines.end();
  context.session.files.remember(context.held.realPath, hash.digest("hex"));

  const { kept, totalLines } = lines;
  const content = kept.map((line) => line.text).join("\n");
  return {
    success: true,
    result: describe(path, { kept, totalLines, first }),
    response: {
      type: "text",
      file: { filePath: path, content, numLines: kept.length, startLine: first, totalLines },
    },
  };
}

function describe(path: string, read: { kept: KeptLine[]; totalLines: number; first: number }): string {
  const { kept, totalLines, first } = read;
  if (totalLines === 0) return `${path} is empty.`;
  if (kept.length === 0)
    return `${path} has only ${totalLines} lines; there is nothing from line ${first} on.`;
  const last = first + kept.length - 1;
  const notes: string[] = [];
  if (last < totalLines) {
    notes.push(`[Lines ${first} to ${last} of ${totalLines}. Read on with offset ${last + 1}.]`);
  }
  if (kept.some((line) => line.text.includes("\uFFFD"))) {
    notes.push("[\uFFFD stands for bytes that are not UTF-8.]");
  }
  return [...kept.map((line, index) => numbered(first + index, line)), ...notes].join("\n");
}

function numbered(number: number, { text, length }: KeptLine): string {
  const cut = length > text.length ? ` [… cut: this line has ${length} characters]` : "";
  return `${String(number).padStart(6)}\t${text}${cut}`;
}
