import { basename, dirname } from "node:path";
import { Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import type { Reply } from "../reply.ts";
import type { StoreRequest } from "../request.ts";
import { IMMUTABLE } from "./media.ts";

/** `GET /assets/<file>`: a file of the theme. Addresses the theme writes carry its version in `v`. */
export function assets({ theme }: Pick<Shop, "theme">, request: StoreRequest): Reply {
  const file = assetFile(theme, request.params.file ?? "");
  if (file === undefined) throw new Problem("not_found", "The theme has no such file.");
  const isVersioned = request.query.has("v");
  return { ...file, headers: { "cache-control": isVersioned ? IMMUTABLE : "public, max-age=0, must-revalidate" } };
}

/** `GET /favicon.ico`: the theme's, where it has one. */
export function favicon({ theme }: Pick<Shop, "theme">): Reply {
  const headers = { "cache-control": "public, max-age=86400" };
  return { ...(assetFile(theme, "favicon.ico") ?? { status: 204, body: "" }), headers };
}

function assetFile(theme: Shop["theme"], name: string): Pick<Reply, "status" | "body"> | undefined {
  const file = theme.asset(name);
  if (file === undefined) return undefined;
  return { status: 200, body: { root: dirname(file), path: `/${encodeURIComponent(basename(file))}` } };
}
