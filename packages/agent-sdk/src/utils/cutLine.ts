/** The line that stands where output was left out. */
export const cutLine = (bytes: number): string => `[… ${bytes.toLocaleString("en-US")} bytes cut …]`;
