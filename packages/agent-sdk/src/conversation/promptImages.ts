import { ImageError, OptionsError } from "../errors.ts";
import type { ImageBlock } from "../messages/blocks.ts";
import { explainFailure } from "../tools/explainFailure.ts";
import { imageType, isImageType, MAX_IMAGE_BYTES, whyNoImage, whyTooLarge } from "../tools/images.ts";
import { missing } from "../tools/paths.ts";
import { NotPlainFile, readPlainFile, readPlainStart } from "../workspace/files/plainFile.ts";
import { errorCode } from "../utils/errorCode.ts";

/** A picture for a prompt. Throws ImageError with one sentence on why it cannot be shown. */
export function readImageFile(path: string): ImageBlock {
  const { bytes, size } = reading(path, () => readPlainStart(path, 32));
  const mediaType = imageType(bytes);
  if (mediaType === undefined)
    throw new ImageError(`${path} is no picture: only PNG, JPEG, GIF and WebP can be shown.`);
  const tooLarge = whyTooLarge(path, size);
  if (tooLarge !== undefined) throw new ImageError(tooLarge);
  const whole = reading(path, () => readPlainFile(path, MAX_IMAGE_BYTES));
  const broken = whyNoImage(whole, mediaType);
  if (broken !== undefined) throw new ImageError(`${path} ${broken}`);
  return { type: "image", mediaType, data: whole.toString("base64"), path };
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (errorCode(error) === "ENOENT")
      throw new ImageError(missing(path).inFull ?? path, { cause: error, kind: "missing" });
    const why =
      error instanceof NotPlainFile ? `${path}: ${error.message}` : explainFailure("read", path, error);
    throw new ImageError(why, { cause: error });
  }
}

/** What a program gives: a server would refuse the whole request for one that is none. */
export function checkImages(images: readonly ImageBlock[]): void {
  const problems = images.flatMap(({ mediaType, data }, index) => {
    const bytes = Buffer.from(data, "base64");
    const path = `options.images[${index}].data`;
    const problem = whyWrong(bytes, mediaType);
    return problem === undefined ? [] : [{ path, problem }];
  });
  if (problems.length > 0) throw new OptionsError(problems);
}

function whyWrong(bytes: Buffer, mediaType: string): string | undefined {
  const type = imageType(bytes);
  if (type === undefined || !isImageType(mediaType) || type !== mediaType)
    return `must be the bytes of an image of type ${mediaType} as base64`;
  return whyTooLarge("it", bytes.length) ?? whyNoImage(bytes, type);
}
