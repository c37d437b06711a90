import { parseCookie, stringifySetCookie } from "cookie";
import type { StoreRequest } from "./request.ts";

/** Returns all values of the cookies with a name, in the browser's order. A sibling site may set a second cookie. */
export function cookieValues(request: Pick<StoreRequest, "headers">, name: string): readonly string[] {
  const header = request.headers.cookie;
  const values: string[] = [];
  if (header === undefined) return values;
  // Only pairs that contain the name are parsed, because most cookies have other names.
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

/** Returns a cookie name that sibling sites cannot set over https: browsers bind `__Host-` cookies to one host. */
export function hostCookie(request: Pick<StoreRequest, "isSecure">, name: string): string {
  return request.isSecure ? `__Host-${name}` : name;
}

/**
 * Returns a `Set-Cookie` value for the entire store.
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
