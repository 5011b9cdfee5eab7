/** What the first bytes of a file say it is; a name can lie. */
export function imageType(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8).equals(PNG)) return "image/png";
  if (bytes.subarray(0, 3).equals(JPEG)) return "image/jpeg";
  if (/^GIF8[79]a/.test(bytes.toString("latin1", 0, 6))) return "image/gif";
  if (/^RIFF.{4}WEBP/s.test(bytes.toString("latin1", 0, 12))) return "image/webp";
  return undefined;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
