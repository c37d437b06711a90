import type { Body, Headers } from "../support/client.ts";
import type { Access, RouteRow } from "./route-table.ts";

/** A request of the route table. */
export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string | Uint8Array;
}

const formAccess: ReadonlySet<Access> = new Set(["site form", "open form", "console", "console login"]);

/** Returns whether the body of a route is a form. Other bodies are JSON. */
export function isForm({ access }: Pick<RouteRow, "access">): boolean {
  return formAccess.has(access);
}

/** Returns the valid request of a row, without secrets. */
export function createRequest(row: RouteRow): RouteRequest {
  const { method, path, body } = row;
  if (body === undefined) return { method, path, headers: {} };
  return isForm(row)
    ? {
        ...{ method, path, headers: { "content-type": "application/x-www-form-urlencoded" } },
        body: new URLSearchParams(body as Readonly<Record<string, string>>).toString(),
      }
    : { method, path, headers: { "content-type": "application/json" }, body: JSON.stringify(body satisfies Body) };
}
