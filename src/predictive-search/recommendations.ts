import type { SearchIndex } from "@vitrine/search";
import { isBundleLive } from "../catalog/bundle.ts";
import { type Catalog, findEntry, type OfferedVariant, readEntries } from "../catalog/catalog.ts";
import { localize } from "../catalog/localize.ts";
import type { Product, Variant } from "../catalog/product.ts";
import { isAvailable, isProductAvailable } from "../catalog/stock.ts";
import { documentTypes, fieldNumbers } from "./documents.ts";

/** Purpose of recommendations: "related" for alternatives, "complementary" for products to buy together. */
export type Intent = "related" | "complementary";

/** Data from which products are recommended. */
export interface RecommendationContext {
  readonly catalog: Catalog;
  readonly index: SearchIndex;
  /** Returns the ids of the products that customers bought together with a product, best first. */
  readonly boughtTogether: (productId: string) => readonly string[];
  readonly locale: string;
  readonly now: number;
}

/**
 * Recommends products for a product, best first and sold-out products last. The merchant's choice (handles in the
 * metafields `related_products` and `complementary_products`, also of Shopify's Search & Discovery) comes first, then
 * products in the same bundle, products that customers bought together, and products that are similar by type, vendor,
 * tags, small collections, and price. Dissimilar products are excluded. Reads a few hundred products at most.
 * @param limit maximum number of products
 */
export function recommend(
  product: Product,
  { intent, limit }: { readonly intent: Intent; readonly limit: number },
  context: RecommendationContext,
): readonly Product[] {
  const { catalog } = context;
  const chosenHandles = listChosenHandles(product, intent);
  const bundledHandles = intent === "complementary" ? listBundledHandles(product, context) : [];
  const boughtIds = intent === "complementary" ? context.boughtTogether(product.id) : [];
  const candidates = new Map<string, { readonly product: Product; readonly score: number }>();
  const addCandidate = (otherProduct: Product | undefined, score: number): void => {
    if (otherProduct !== undefined && otherProduct.id !== product.id && !candidates.has(otherProduct.id))
      candidates.set(otherProduct.id, { product: otherProduct, score });
  };
  chosenHandles.forEach((handle, index) => {
    addCandidate(catalog.product(handle), CHOSEN_PRODUCT_SCORE - index);
  });
  bundledHandles.forEach((handle, index) => {
    addCandidate(catalog.product(handle), BUNDLED_PRODUCT_SCORE - index);
  });
  boughtIds.forEach((id, index) => {
    addCandidate(catalog.productById(id), BOUGHT_PRODUCT_SCORE - index);
  });
  const weights = findCandidates(product, context);
  for (const [number, collectionWeight] of weights) {
    const otherProduct = findEntry(catalog, "product", number);
    if (otherProduct === undefined) continue;
    const similarity = computeSimilarity(product, otherProduct, intent) + collectionWeight;
    if (similarity > 0)
      addCandidate(otherProduct, similarity + comparePrices(product, otherProduct) + otherProduct.popularity / 2);
  }
  return [...candidates.values()]
    .map((candidate) => ({ ...candidate, isAvailable: isProductAvailable(candidate.product) }))
    .sort((a, b) => Number(b.isAvailable) - Number(a.isAvailable) || b.score - a.score)
    .slice(0, limit)
    .map((candidate) => candidate.product);
}

/**
 * Finds the offer in stock that is nearest to a sold-out one: another variant of the product that shares an option
 * value, such as the size, or else a related product of the same type.
 * @returns undefined if nothing similar is in stock
 */
export function findSubstitute(
  { product, variant }: OfferedVariant,
  context: Omit<RecommendationContext, "boughtTogether">,
): OfferedVariant | undefined {
  const sibling = findClosestVariant(product, variant);
  if (sibling !== undefined && countSharedOptions(sibling, variant) > 0) return { product, variant: sibling };
  const options = { intent: "related", limit: MAX_SUBSTITUTE_CANDIDATES } as const;
  // Only complementary recommendations depend on products that customers bought together.
  const relatedProduct = recommend(product, options, { ...context, boughtTogether: () => [] }).find(
    (substitute) =>
      substitute.productType === product.productType &&
      !substitute.requiresCustomer &&
      substitute.variants.some(isAvailable),
  );
  const relatedVariant = relatedProduct && findClosestVariant(relatedProduct, variant);
  return relatedProduct && relatedVariant && { product: relatedProduct, variant: relatedVariant };
}

/** Number of related products to consider. */
const MAX_SUBSTITUTE_CANDIDATES = 5;

const CHOSEN_PRODUCT_SCORE = 1_000;
const BUNDLED_PRODUCT_SCORE = 100;
const BOUGHT_PRODUCT_SCORE = 50;
/**
 * Maximum number of collections, smallest first, because large collections ("all", "sale") indicate little similarity.
 */
const MAX_COLLECTIONS = 6;
/** Maximum number of products that are considered from one collection. */
const MAX_PRODUCTS_PER_COLLECTION = 48;
/** If collections yield at least this many candidates, the index is not searched for more. */
const MIN_CANDIDATES = 40;
/** Maximum number of products from one index search by type or by vendor. */
const MAX_SEARCH_RESULTS = 48;
const MAX_BUNDLES = 500;

/**
 * Returns products that may be similar to a product, as a map from document number to weight. Each collection that
 * contains both products adds to the weight, and small collections add more.
 */
function findCandidates(
  product: Product,
  { catalog, index, locale }: { readonly catalog: Catalog; readonly index: SearchIndex; readonly locale: string },
): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  const collections = catalog
    .collectionsOf(product.handle)
    .filter((handle) => catalog.collection(handle)?.isDerived !== true)
    .map((handle) => catalog.collectionProducts(handle))
    .sort((left, right) => left.length - right.length)
    .slice(0, MAX_COLLECTIONS);
  for (const numbers of collections) {
    const weight = 2 / Math.log2(2 + numbers.length);
    for (const number of selectSample(numbers, product.handle))
      weights.set(number, (weights.get(number) ?? 0) + weight);
  }
  const localizedProduct = localize(product, locale);
  for (const [field, text] of [
    ["product_type", localizedProduct.productType],
    ["vendor", localizedProduct.vendor],
  ] as const) {
    if (text === "" || weights.size >= MIN_CANDIDATES) continue;
    const limits = new Map([[documentTypes.product, MAX_SEARCH_RESULTS]]);
    const fields = 1 << (fieldNumbers.get(field) ?? 0);
    const hits = index.search({ text, locale, limits, fields, typos: false, unavailable: "last" });
    for (const { externalId: number } of hits.get(documentTypes.product) ?? [])
      weights.set(number, weights.get(number) ?? 0);
  }
  return weights;
}

/**
 * Returns all numbers of a short list. From a long list, returns the first numbers, and a section whose start is
 * derived from the seed, so that different seeds select different sections.
 */
function selectSample(numbers: Uint32Array, seed: string): readonly number[] {
  if (numbers.length <= MAX_PRODUCTS_PER_COLLECTION) return [...numbers];
  const sampleSize = MAX_PRODUCTS_PER_COLLECTION / 2;
  let start = 0;
  for (const character of seed) start = (start * 31 + (character.codePointAt(0) ?? 0)) % (numbers.length - sampleSize);
  return [...new Set([...numbers.subarray(0, sampleSize), ...numbers.subarray(start, start + sampleSize)])];
}

function computeSimilarity(product: Product, otherProduct: Product, intent: Intent): number {
  const isSameType = product.productType !== "" && product.productType === otherProduct.productType;
  const isSameVendor = product.vendor !== "" && product.vendor === otherProduct.vendor;
  const typeScore = intent === "related" ? 3 : -2;
  return (isSameType ? typeScore : 0) + (isSameVendor ? 1 : 0) + 2 * countCommonTags(product.tags, otherProduct.tags);
}

/**
 * Returns the Jaccard similarity of two lists of tags, from 0 to 1: the number of common tags divided by the number of
 * distinct tags.
 */
function countCommonTags(tags: readonly string[], otherTags: readonly string[]): number {
  const commonTagCount = tags.filter((tag) => otherTags.includes(tag)).length;
  return commonTagCount === 0 ? 0 : commonTagCount / (tags.length + otherTags.length - commonTagCount);
}

/** Returns 1 for equal prices, decreasing to 0 for a price that is four times higher or lower. */
function comparePrices(product: Product, otherProduct: Product): number {
  const [price, otherPrice] = [product, otherProduct].map(({ variants }) => Math.max(1, variants[0]?.price ?? 1));
  return Math.max(0, 1 - Math.abs(Math.log((price ?? 1) / (otherPrice ?? 1))) / Math.log(4));
}

function listBundledHandles(
  product: Product,
  { catalog, now }: { readonly catalog: Catalog; readonly now: number },
): string[] {
  const bundles = readEntries(catalog, "bundle", catalog.numbers("bundle").subarray(0, MAX_BUNDLES));
  return [...bundles].flatMap((bundle) =>
    bundle.products.includes(product.handle) && isBundleLive(bundle, catalog, now) ? bundle.products : [],
  );
}

function listChosenHandles({ metafields }: Product, intent: Intent): readonly string[] {
  const key = `${intent}_products`;
  const imported = metafields["shopify--discovery--product_recommendation"] as
    | Readonly<Record<string, { readonly value?: unknown }>>
    | undefined;
  const value = metafields[key] ?? imported?.[key]?.value;
  return Array.isArray(value) ? value.filter((handle) => typeof handle === "string") : [];
}

/** Returns the available variant of a product that shares the most option values with another variant. */
function findClosestVariant(product: Product, variant: Variant): Variant | undefined {
  return product.variants
    .filter((candidate) => candidate.id !== variant.id && isAvailable(candidate))
    .reduce<Variant | undefined>(
      (closestVariant, candidate) =>
        closestVariant === undefined ||
        countSharedOptions(candidate, variant) > countSharedOptions(closestVariant, variant)
          ? candidate
          : closestVariant,
      undefined,
    );
}

function countSharedOptions({ options }: Variant, otherVariant: Variant): number {
  return options.filter((value) => otherVariant.options.includes(value)).length;
}
