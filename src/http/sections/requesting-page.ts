import type { Shop } from "../../shop.ts";
import type { RenderRequest } from "../../theme/theme.ts";
import { readSameStoreReferrer } from "../wire/referrer-path.ts";
import { parseTarget, type StoreRequest } from "../wire/request.ts";

/**
 * Returns the page that sent the request, from the `Referer` header, because its template may contain the requested
 * section. The object is empty if the header names no page of this store.
 */
export function readRequestingPage(
  { config }: Pick<Shop, "config">,
  request: StoreRequest,
): Pick<RenderRequest, "requestingPage"> {
  const page = readSameStoreReferrer(request);
  if (page === undefined) return {};
  const { path, search } = parseTarget(page, config.locales);
  return { requestingPage: path + search };
}
