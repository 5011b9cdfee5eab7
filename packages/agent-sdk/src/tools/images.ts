/** What the first bytes of a file say it is; a name can lie. */
export function imageType(bytes: Buffer): ImageType | undefined {
  if (bytes.subarray(0, 8).equals(PNG)) return "image/png";
  if (bytes.subarray(0, 3).equals(JPEG)) return "image/jpeg";
  if (/^GIF8[79]a/.test(bytes.toString("latin1", 0, 6))) return "image/gif";
  if (/^RIFF.{4}WEBP/s.test(bytes.toString("latin1", 0, 12))) return "image/webp";
  return undefined;
}

/** More than any model server takes. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

export const whyTooLarge = (path: string, bytes: number): string | undefined =>
  bytes > MAX_IMAGE_BYTES
    ? `${path} is an image of ${(bytes / 1024 / 1024).toFixed(1)} MB; at most 5 MB can be shown. Make it smaller first.`
    : undefined;

export type ImageType = keyof typeof FORMATS;

/**
 * Why bytes that begin like an image are none: a server refuses the whole request for it. Only the header is read, as far
 * as the picture's size; what is wrong behind it shows when the server refuses it.
 */
export function whyNoImage(bytes: Buffer, type: ImageType): string | undefined {
  const { name, size } = FORMATS[type];
  const { width, height } = size(bytes) ?? { width: 0, height: 0 };
  return width > 0 && height > 0
    ? undefined
    : `is not a readable ${name}: it begins like one, and its header gives no width and height.`;
}

interface Size {
  width: number;
  height: number;
}

/** Undefined: the header is not there, or ends too early. */
type ReadSize = (bytes: Buffer) => Size | undefined;

export const isImageType = (type: string): type is ImageType => Object.hasOwn(FORMATS, type);

const FORMATS = {
  "image/png": { name: "PNG", size: pngSize },
  "image/jpeg": { name: "JPEG", size: jpegSize },
  "image/gif": { name: "GIF", size: gifSize },
  "image/webp": { name: "WebP", size: webpSize },
} as const satisfies Record<string, { name: string; size: ReadSize }>;

function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 33 || bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gifSize(bytes: Buffer): Size | undefined {
  return bytes.length < 13 ? undefined : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L":
      // 14 bits each, less one, behind a byte that is always the same.
      if (bytes[20] !== 0x2f) return undefined;
      return {
        width: (bytes.readUInt32LE(21) & 0x3fff) + 1,
        height: ((bytes.readUInt32LE(21) >>> 14) & 0x3fff) + 1,
      };
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** The size stands in the first frame header, behind segments of any number and length. */
function jpegSize(bytes: Buffer): Size | undefined {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) {
      // A height of 0 is told later, behind the first scan.
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) || 1 };
    } else if (marker === END_OF_IMAGE || marker === START_OF_SCAN) return undefined;
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;

/** C4, C8 and CC are tables. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
