import { readFileSync } from "node:fs";
import type { Handler } from "../route.ts";

/** `GET /admin/console.css`, `GET /admin/console.js`: read at the first request. */
export function consoleFile(name: keyof typeof types): Handler {
  let body: Uint8Array | undefined;
  return () => {
    body ??= readFileSync(new URL(name, folder));
    const headers = { "content-type": `${types[name]}; charset=utf-8`, "cache-control": "private, max-age=60" };
    return { status: 200, headers, body, compress: "best" };
  };
}

const folder = new URL("../../../client/", import.meta.url);
const types = { "console.css": "text/css", "console.js": "text/javascript" } as const;
