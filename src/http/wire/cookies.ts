import { parseCookie, stringifySetCookie } from "cookie";
import type { StoreRequest } from "./request.ts";

/**
 * Returns the values of all cookies with a name, in the order of the header. There may be several, because sites on
 * sibling domains can set cookies, too.
 */
export function readCookieValues(request: Pick<StoreRequest, "headers">, name: string): readonly string[] {
  const header = request.headers.cookie;
  const values: string[] = [];
  if (header === undefined) return values;
  // Fast path: parses only the cookies whose text contains the name.
  for (let position = header.indexOf(name); position !== -1; ) {
    const start = header.lastIndexOf(";", position) + 1;
    const separator = header.indexOf(";", position);
    const end = separator === -1 ? header.length : separator;
    const value = parseCookie(header.slice(start, end))[name];
    if (value !== undefined) values.push(value);
    position = header.indexOf(name, end);
  }
  return values;
}

/**
 * Returns the name of a cookie that only this host can set. Over https, it has the prefix `__Host-`, which browsers
 * enforce.
 */
export function formatCookieName(request: Pick<StoreRequest, "isSecure">, name: string): string {
  return request.isSecure ? `__Host-${name}` : name;
}

/**
 * Returns a `Set-Cookie` value that applies to all paths of the store.
 * @param maxAge lifetime in seconds; 0 deletes the cookie
 * @param sameSite Default: "lax"
 */
export function setCookie(
  request: Pick<StoreRequest, "isSecure">,
  name: string,
  value: string,
  {
    maxAge,
    httpOnly,
    sameSite = "lax",
  }: { readonly maxAge: number; readonly httpOnly: boolean; readonly sameSite?: "lax" | "strict" },
): string {
  return stringifySetCookie({ name, value, maxAge, httpOnly, path: "/", sameSite, secure: request.isSecure });
}
