/** Names of the query's parameters, which are Shopify's; a facet is known by the name of its own. */
export const facetParams = {
  availability: "filter.v.availability",
  price: "filter.v.price",
  priceFrom: "filter.v.price.gte",
  priceTo: "filter.v.price.lte",
  productType: "filter.p.product_type",
  vendor: "filter.p.vendor",
  tag: "filter.p.tag",
} as const;

/** Names of the facets of options begin with it. */
export const optionPrefix = "filter.v.option.";
const metafieldPrefix = "filter.p.m.";

/** The facet of an option; names that differ in case alone are one. */
export function optionFacet(name: string): string {
  return optionPrefix + name.trim().toLowerCase();
}

/** @param name "namespace.key" */
export function metafieldFacet(name: string): string {
  return metafieldPrefix + name;
}

export function isOptionFacet(facet: string): boolean {
  return facet.startsWith(optionPrefix);
}

export function isMetafieldFacet(facet: string): boolean {
  return facet.startsWith(metafieldPrefix);
}

/** The name of the option or the metafield that a facet is of; undefined for other facets. */
export function facetSubject(
  facet: string,
): { readonly kind: "option" | "metafield"; readonly name: string } | undefined {
  if (isOptionFacet(facet)) return { kind: "option", name: facet.slice(optionPrefix.length) };
  if (facet.startsWith(metafieldPrefix)) return { kind: "metafield", name: facet.slice(metafieldPrefix.length) };
  return undefined;
}
