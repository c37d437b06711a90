/** Returns whether a URL refers to this machine.  @param hostname host of the URL, as in `URL.hostname` */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * Returns whether a reserved character of the password ended the host of a URL: "smtp://user:1/2@mail.example" has the
 * host "user" and the port 1. A later "@" or "#" shows it.
 */
export function hasMisplacedHost({ pathname, search, hash }: URL): boolean {
  return /[@#]/.test(pathname + search + hash);
}
