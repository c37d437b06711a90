import type { Product } from "./product.ts";

/**
 * Returns the products of a combined listing in the order of their option values, in the default language. Products
 * that do not exist or have other options are left out.
 * @param product product in the default language
 * @returns only the product itself if it is in no combined listing
 */
export function listCombinedProducts(
  product: Product,
  catalog: { product(handle: string): Product | undefined },
): readonly Product[] {
  if (product.combinedListing === undefined) return [product];
  return listCombinedHandles(product).flatMap((handle) => {
    const otherProduct = handle === product.handle ? product : catalog.product(handle);
    return otherProduct !== undefined && hasSameOptions(product, otherProduct) ? [otherProduct] : [];
  });
}

/** Returns the handles of a combined listing. A product that does not name itself is the first. */
export function listCombinedHandles({ handle, combinedListing = [] }: Product): readonly string[] {
  return combinedListing.includes(handle) ? combinedListing : [handle, ...combinedListing];
}

/** Returns whether two products have the same option names, in the same order. */
export function hasSameOptions({ options }: Product, { options: otherOptions }: Product): boolean {
  return options.length === otherOptions.length && options.every((name, index) => name === otherOptions[index]);
}
