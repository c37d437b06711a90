import { isLoopbackHost } from "../../runtime/url-host.ts";
import { formatCookieName, readCookieValues, setCookie } from "../wire/cookies.ts";
import type { StoreRequest } from "../wire/request.ts";

/**
 * Returns the values of a cookie of the console. On this machine, they include the cookie of plain http, so that a
 * session stays valid when the setting `origin` changes.
 */
export function readConsoleCookies(request: StoreRequest, name: string): readonly string[] {
  const values = readCookieValues(request, formatCookieName(request, name));
  return request.isSecure && isLocal(request) ? [...values, ...readCookieValues(request, name)] : values;
}

/** Returns the cookie of a response to a form.  @param maxAge lifetime in seconds; 0 deletes the cookie */
export function createConsoleCookie(request: StoreRequest, name: string, value: string, maxAge: number): string {
  const isSecure = request.isSecure && !isLocalForm(request);
  const options = { maxAge, httpOnly: true, sameSite: "strict" } as const;
  return setCookie({ isSecure }, formatCookieName({ isSecure }, name), value, options);
}

/**
 * Returns whether a form was sent from a page at an address of this machine, such as http://127.0.0.1:3000. A page of
 * another site cannot have this origin.
 */
export function isLocalForm(request: StoreRequest): boolean {
  return isLocal(request) && request.headers.origin === `http://${request.client.host}`;
}

function isLocal({ client }: StoreRequest): boolean {
  return isLoopbackHost(URL.parse(`http://${client.host}`)?.hostname ?? "");
}
