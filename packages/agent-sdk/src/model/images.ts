/** An image of a message: its type, and its bytes as base64. Undefined for an address that is no data URL. */
export function readDataUrl(url: string): { mediaType: string; data: string } | undefined {
  const match = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  return match ? { mediaType: match[1] ?? "", data: match[2] ?? "" } : undefined;
}
