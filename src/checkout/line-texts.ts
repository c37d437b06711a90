import { formatVariantTitle } from "../catalog/catalog.ts";
import { localize } from "../catalog/localize.ts";
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
  const localizedProduct = localize(product, locale);
  const localizedVariant = localizedProduct.variants.find(({ id }) => id === variant.id) ?? variant;
  const variantName = formatVariantTitle({ product: localizedProduct, variant: localizedVariant });
  return {
    title: line.parentKey === undefined ? localizedProduct.title : `+ ${localizedProduct.title}`,
    details: [
      ...[variantName, localizedVariant.sku].filter((text) => text !== undefined),
      // Customers do not see properties with a leading underscore.
      ...listNonEmptyProperties(line).filter((text) => !text.startsWith("_")),
    ],
  };
}
