/** An address of this machine, whose host is certain. */
export function isLocalAddress(text: string): boolean {
  if (!/^https?:\/\//.test(text)) return false;
  const { hostname, username, password } = URL.parse(text) ?? {};
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname ?? "") && !username && !password;
}
