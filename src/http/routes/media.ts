import { join } from "node:path";
import type { Reply } from "../reply.ts";
import type { StoreRequest } from "../request.ts";

/** `GET /media/<path>`: a picture of the store's folder. Opened by itself a picture may run nothing, SVG's scripts included.
 *  @param storeDir the store's folder */
export function media(storeDir: string, request: StoreRequest): Reply {
  return {
    status: 200,
    headers: {
      "cache-control": request.query.has("v") ? IMMUTABLE : "public, max-age=3600",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
    body: { root: join(storeDir, "media"), path: request.path.slice("/media".length) },
  };
}

/** For addresses that carry the file's version: a year, and never asked about again. */
export const IMMUTABLE = "public, max-age=31536000, immutable";
