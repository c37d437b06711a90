import { readFileSync } from "node:fs";
import { Problem } from "../../../problem.ts";
import { getOrCreate } from "../../../runtime/cache.ts";
import type { Shop } from "../../../shop.ts";
import { hashContent } from "../../../theme/files/asset-files.ts";
import { getTextType, IMMUTABLE_CACHE_CONTROL } from "../../file-types.ts";
import { replyIfModified } from "../../response-cache.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/**
 * Handles `GET /vitrine/<file>`: serves scripts for theme authors, the style of the preview bar, and the drawing that
 * replaces missing images. `vitrine.js` is a client for the cart and the search. `compat.js` supports themes that were
 * made for other shop platforms. `webmcp.js` is 404 if agents are turned off.
 */
export function getClientScript({ config }: Pick<Shop, "config">, request: StoreRequest): Reply {
  const name = request.params.file ?? "";
  const script = name === "webmcp.js" && !config.agents ? undefined : scriptOf(name);
  if (script === undefined) throw new Problem("not_found", "There is no such script.");
  return createScriptReply(request, name, script);
}

/** A script, or another file that pages of every shop load. */
interface ScriptFile {
  readonly bytes: Uint8Array;
  /** Hash of the content. A URL that contains it in `v` is stored without revalidation. */
  readonly version: string;
}

export function createScriptFile(text: string): ScriptFile {
  const bytes = Buffer.from(text);
  return { bytes, version: hashContent(bytes) };
}

export function createScriptReply(request: StoreRequest, name: string, { bytes, version }: ScriptFile): Reply {
  const hasCurrentVersion = request.query.get("v") === version;
  return replyIfModified(request, {
    status: 200,
    headers: {
      "content-type": getTextType(name) ?? "text/javascript; charset=utf-8",
      "cache-control": hasCurrentVersion
        ? IMMUTABLE_CACHE_CONTROL
        : "public, max-age=600, stale-while-revalidate=86400",
      etag: `"${version}"`,
    },
    body: bytes,
    compress: "best",
  });
}

const scriptNames: ReadonlySet<string> = new Set([
  "vitrine.js",
  "compat.js",
  "standard-events.js",
  "standard-actions.js",
  "shopify-account.js",
  "vintage.js",
  "partials.js",
  "search-client.js",
  "webmcp.js",
  "preview.css",
  "no-image.svg",
]);
const clientFolder = new URL("../../../../client/", import.meta.url);
const scripts = new Map<string, ScriptFile>();

function scriptOf(name: string): ScriptFile | undefined {
  if (!scriptNames.has(name)) return undefined;
  return getOrCreate(scripts, name, () =>
    createScriptFile(removeComments(readFileSync(new URL(name, clientFolder), "utf8"))),
  );
}

/** Removes the comments of a script. It supports only comments on separate lines, and no multi-line strings. */
function removeComments(source: string): string {
  return source
    .replaceAll(/^\s*\/\*\*?[\s\S]*?\*\/\s*$/gm, "")
    .replaceAll(/^\s*\/\/.*$/gm, "")
    .replaceAll(/^\s+/gm, "")
    .replaceAll(/\n+/g, "\n");
}
