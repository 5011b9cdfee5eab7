/** The code of a system error (ENOENT, EACCES, …); undefined for every other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
