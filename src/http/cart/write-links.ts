import { formatVariantPath } from "../../catalog/presenters/variant.ts";
import type { Shop } from "../../shop.ts";
import { redirectAfterWrite } from "../bodies/form-posts.ts";
import { parseQueryForm } from "../bodies/forms.ts";
import type { Handler } from "../route.ts";
import { readVisitorToken } from "../sessions/csrf-session.ts";
import { redirect } from "../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../wire/request.ts";

/**
 * Handles links that change the cart, such as "remove" links for browsers without scripts. The change is made only if
 * the header `Sec-Fetch-Site` proves that the shopper came from a page of this shop. Other sites cannot forge it.
 * Otherwise, a link that adds an item redirects to its product page, and other links redirect to the cart.
 */
export function handleWriteLink(shop: Pick<Shop, "config" | "keys" | "process" | "snapshot">, write: Handler): Handler {
  return async (request) => {
    const token = readVisitorToken(shop, request);
    if (request.headers["sec-fetch-site"] !== "same-origin" || !isShopperNavigation(request) || token === undefined)
      return redirect(303, findProductPage(shop, request) ?? `${request.prefix}/cart`);
    const fields = await parseQueryForm(request.search).catch(() => ({}));
    const body = Buffer.from(JSON.stringify(fields));
    const headers = { ...request.headers, "content-type": "application/json", "x-csrf-token": token };
    const postedRequest = {
      ...request,
      method: "POST",
      headers,
      query: new URLSearchParams(),
      readBody: async () => body,
    };
    return redirectAfterWrite(shop, postedRequest, write, fields);
  };
}

/**
 * Reports whether a shopper followed the link. Requests for images, frames, and prefetches return false. Browsers that
 * do not send these headers count as shoppers.
 */
export function isShopperNavigation(request: Pick<StoreRequest, "headers" | "isHead">): boolean {
  const purpose = request.headers["sec-purpose"] ?? request.headers.purpose ?? request.headers["x-moz"];
  const mode = request.headers["sec-fetch-mode"] ?? "navigate";
  const destination = request.headers["sec-fetch-dest"] ?? "document";
  return !request.isHead && purpose === undefined && mode === "navigate" && destination === "document";
}

function findProductPage(shop: Pick<Shop, "config" | "snapshot">, request: StoreRequest): string | undefined {
  if (request.headers["sec-fetch-site"] !== "cross-site" || !/^\/cart\/add(?:\.js)?$/.test(request.path))
    return undefined;
  const offer = shop.snapshot().catalog.variant(request.query.get("id") ?? "");
  return offer && formatVariantPath({ ...offer, prefix: formatLocalePrefix(request.locale, shop.config.locales) });
}
