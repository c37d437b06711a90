/**
 * Returns whether a reserved character of the password ended the host of a URL: "smtp://user:1/2@mail.example" has the
 * host "user" and the port 1. A later "@" or "#" shows it.
 */
export function hasMisplacedHost({ pathname, search, hash }: URL): boolean {
  return /[@#]/.test(pathname + search + hash);
}
