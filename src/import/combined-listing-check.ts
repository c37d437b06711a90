import type { Row } from "../catalog/catalog.ts";
import { hasSameOptions, listCombinedHandles } from "../catalog/combined-listing.ts";
import type { Product } from "../catalog/product.ts";

/** A product that the page of another one leaves out of their combined listing. */
export interface UnusedListingEntry {
  /** Handle of the product that `vitrine check` looks up in the database. Undefined if the files contain it. */
  readonly missingHandle?: string;
  readonly message: string;
}

/** Collects the products of catalog files, and finds entries of their combined listings that pages cannot show. */
export function createCombinedListingCheck() {
  const listedProducts = new Map<string, Product>();
  const handles = new Set<string>();
  return {
    add(row: Row): void {
      if (row.kind !== "product") return;
      handles.add(row.handle);
      if (row.combinedListing !== undefined) listedProducts.set(row.handle, row);
    },
    finish(): readonly UnusedListingEntry[] {
      return [...listedProducts.values()].flatMap((product) =>
        listCombinedHandles(product).flatMap((handle) => {
          if (handle === product.handle) return [];
          const start = `the combined listing of the product "${product.handle}" names "${handle}"`;
          if (!handles.has(handle)) return [{ missingHandle: handle, message: `${start}, which does not exist` }];
          const otherProduct = listedProducts.get(handle);
          if (otherProduct?.combinedListing?.includes(product.handle) !== true)
            return [{ message: `${start}, which does not name "${product.handle}" in its combined listing` }];
          return hasSameOptions(product, otherProduct)
            ? []
            : [{ message: `${start}, which has other options: name the same options in the same order` }];
        }),
      );
    },
  };
}
