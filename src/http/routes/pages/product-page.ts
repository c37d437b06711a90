import { variantPath } from "../../../catalog/presenters/variant.ts";
import { namesSections } from "../../sections/section-ids.ts";
import { trackProductView } from "../../track.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { variant } from "../catalog/catalog-json.ts";
import { knownPage, type PageShop, renderPage } from "./page.ts";

/** `GET /products/<handle>`, also within a collection. */
export async function productPage(shop: PageShop, request: StoreRequest): Promise<Reply> {
  const reply = await knownPage(shop, request);
  if (reply.status !== 200 || namesSections(request.query)) return reply;
  trackProductView(shop, request);
  const { cachePolicy } = reply;
  if (cachePolicy === undefined) return reply;
  const reuse = (visitor: StoreRequest): Reply | undefined => {
    const shown = cachePolicy.reuse(visitor);
    if (shown !== undefined) trackProductView(shop, visitor);
    return shown;
  };
  return { ...reply, cachePolicy: { ...cachePolicy, reuse } };
}

/**
 * `GET /variants/<id>?section_id=<id>`: that section of its product's page, with the variant selected. Without sections
 * as {@link variant}.
 */
export async function variantPage(shop: PageShop, request: StoreRequest): Promise<Reply> {
  const offer = shop.snapshot().catalog.variant(request.params.id ?? "");
  if (offer === undefined || !namesSections(request.query)) return variant(shop, request);
  return renderPage(shop, request, { target: variantPath({ ...offer, prefix: "" }) });
}
