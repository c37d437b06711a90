import { formatVariantTitle } from "../catalog/catalog.ts";
import { localizeOffer } from "../catalog/localize.ts";
import { listNonEmptyProperties, type Order } from "./order.ts";

/** Texts of an ordered line in the customer's language. */
export interface LineTexts {
  /** Title of the product. A plus sign marks a nested line, which follows its parent. */
  readonly title: string;
  /** Variant, SKU, and properties. */
  readonly details: readonly string[];
}

/** Returns the texts of an ordered line.  @param locale language of the order */
export function createLineTexts(
  { line, product, variant }: Order["content"]["priced"]["lines"][number],
  locale: string,
): LineTexts {
  const offer = localizeOffer({ product, variant }, locale);
  const { title } = offer.product;
  return {
    title: line.parentKey === undefined ? title : `+ ${title}`,
    details: [
      ...[formatVariantTitle(offer), offer.variant.sku].filter((text) => text !== undefined),
      // Customers do not see properties with a leading underscore.
      ...listNonEmptyProperties(line).filter((text) => !text.startsWith("_")),
    ],
  };
}
