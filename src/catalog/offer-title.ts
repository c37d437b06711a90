import type { Offer } from "./catalog.ts";
import type { Product } from "./product.ts";

/** The title of the only variant of a product without options. */
export const DEFAULT_VARIANT_TITLE = "Default Title";

/** What a variant is called beside others: "Raincoat - M / Navy", or the product's title alone where there is nothing to choose. */
export function offerTitle(offer: Offer): string {
  const title = variantTitle(offer);
  return title === undefined ? offer.product.title : `${offer.product.title} - ${title}`;
}

/** "M / Navy"; undefined where the product has nothing to choose. */
export function variantTitle({ product, variant }: Offer): string | undefined {
  return isDefaultOnly(product) || variant.title === "" ? undefined : variant.title;
}

/** Whether a product has nothing to choose: one variant, and no options or none but a stand-in. */
export function isDefaultOnly({ variants, options }: Product): boolean {
  return variants.length === 1 && (options.length === 0 || variants[0]?.title === DEFAULT_VARIANT_TITLE);
}
