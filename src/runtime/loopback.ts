/** Returns whether a URL refers to this machine.  @param hostname host of the URL, as in `URL.hostname` */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
