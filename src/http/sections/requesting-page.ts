import type { Shop } from "../../shop.ts";
import type { RenderRequest } from "../../theme/theme.ts";
import { readSameStoreReferrer } from "../wire/referrer-path.ts";
import { parseTarget, type StoreRequest } from "../wire/request.ts";

/** Reads the page whose template may contain the requested section. Empty if no page of this store refers. */
export function readRequestingPage(
  { config }: Pick<Shop, "config">,
  request: StoreRequest,
): Pick<RenderRequest, "requestingPage"> {
  const page = readSameStoreReferrer(request);
  if (page === undefined) return {};
  const { path, search } = parseTarget(page, config.locales);
  return { requestingPage: path + search };
}
