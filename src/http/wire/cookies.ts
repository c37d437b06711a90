import { parseCookie, stringifySetCookie } from "cookie";
import type { StoreRequest } from "./request.ts";

/** Every value of the cookies of one name, in the browser's order: a sibling site may plant one beside ours. */
export function cookieValues(request: Pick<StoreRequest, "headers">, name: string): readonly string[] {
  const header = request.headers.cookie;
  const values: string[] = [];
  if (header === undefined) return values;
  // Most cookies of a request are others: only pairs in which the name stands are read.
  for (let found = header.indexOf(name); found !== -1; ) {
    const start = header.lastIndexOf(";", found) + 1;
    const next = header.indexOf(";", found);
    const end = next === -1 ? header.length : next;
    const value = parseCookie(header.slice(start, end))[name];
    if (value !== undefined) values.push(value);
    found = header.indexOf(name, end);
  }
  return values;
}

/** A name that on https no sibling site can set a cookie of: `__Host-` is for this very host alone. */
export function hostCookie(request: Pick<StoreRequest, "isSecure">, name: string): string {
  return request.isSecure ? `__Host-${name}` : name;
}

/** A `Set-Cookie` value for this whole store. @param maxAge seconds; 0 expires the cookie  @param sameSite "lax" unless told */
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
