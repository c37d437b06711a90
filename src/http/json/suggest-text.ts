import { hash } from "node:crypto";
import { type Catalog, type Entry, findEntry } from "../../catalog/catalog.ts";
import { localize } from "../../catalog/localize.ts";
import {
  type ArticleView,
  articlePresenter,
  bundlePresenter,
  type CollectionView,
  collectionPresenter,
  findFeaturedImage,
  getOwnImage,
  pagePresenter,
} from "../../catalog/presenters/content.ts";
import { createSerializer } from "../../catalog/presenters/presenter.ts";
import { findMatchedVariant, mentionsVariant } from "../../predictive-search/matched-variant.ts";
import type { EntryType, PredictiveSearchHits } from "../../predictive-search/predictive-search.ts";
import { noticePresenter, queryPresenter } from "../../predictive-search/query-presenter.ts";
import { type ProductSearch, resultPresenter } from "../../predictive-search/result-presenter.ts";
import { formatDecimalMoney } from "../../pricing/money.ts";
import { type ByteString, ByteWriter } from "../wire/byte-string.ts";
import { type EntryJson, EntryJsonCache } from "./entry-json-cache.ts";
import { toSafeJson } from "./inert-json.ts";
import { productJson, serializeImage, variantJson } from "./product-json.ts";

/** Response body of `/search/suggest.json`, and its entity tag. */
export interface SerializedSuggestions {
  readonly body: ByteString;
  readonly tag: string;
}

/**
 * Serializes search suggestions as JSON. The JSON of each catalog entry is cached. The entity tag is a digest of the
 * entries' digests, which is faster to compute than a digest of the entire body.
 */
export interface SuggestSerializer {
  /** Serializes the results of a search.  @see spec 2.1 */
  serialize(
    results: Omit<PredictiveSearchHits, "redirect" | "isFound">,
    view: SuggestView,
    optionalFields?: OptionalFields,
  ): SerializedSuggestions;
}

/** Response fields that depend on the query or the settings. */
export interface OptionalFields {
  /** URL to which the shop redirects this search query. */
  readonly redirectUrl?: string | undefined;
  /** Filters for all products that match the query. */
  readonly facets?: readonly object[] | undefined;
  /**
   * Returns additional fields for a product, such as the variant that matches the query.
   * @param number internal number of the product in the catalog
   */
  readonly resultFields?: ((number: number) => Record<string, unknown>) | undefined;
}

/** Arrays in the response, each with the type of its entries. */
const responseLists: readonly (readonly [opening: string, type: EntryType])[] = [
  [',"products":[', "product"],
  [',"collections":[', "collection"],
  [',"pages":[', "page"],
  [',"articles":[', "article"],
  [',"bundles":[', "bundle"],
];

/**
 * Creates a serializer of suggestions.
 * @param maxBytes maximum memory of the cached entries, in bytes
 * @param decimalCurrency currency of decimal prices ("19.99"), which scripts made for Shopify print. Default: minor units
 */
export function createSuggestSerializer(maxBytes: number, decimalCurrency?: string): SuggestSerializer {
  const toDecimal =
    decimalCurrency === undefined
      ? undefined
      : (name: string, value: unknown): unknown =>
          typeof value === "number" && decimalPrices.has(name) ? formatDecimalMoney(value, decimalCurrency) : value;
  const entries = new EntryJsonCache(maxBytes);
  const textWriter = new ByteWriter();
  const digestWriter = new ByteWriter();
  const writeTextAndDigest = (text: string): void => {
    textWriter.text(text);
    digestWriter.text(text);
  };
  const appendEntry = (
    number: number,
    type: EntryType,
    view: SuggestView,
    { separator, resultFields }: Pick<OptionalFields, "resultFields"> & { readonly separator: string },
  ): boolean => {
    const { catalog, locale } = view;
    // The JSON of a collection contains the image of a product, so it is valid for the current catalog only.
    const row = type === "collection" ? { rows: catalog, position: number } : catalog.locationOf(number);
    const createEntry = (): EntryJson | undefined => {
      const entry = catalog.entry(number);
      if (entry?.kind !== type) return undefined;
      const text = toSafeJson(serializeEntry(localize(entry, locale), view), toDecimal);
      return entry.kind === "product" ? { text, stock: catalog.stock.versionOf(entry) } : { text };
    };
    if (row === undefined) return false;
    const fields = type === "product" ? resultFields?.(number) : undefined;
    const fieldsJson = fields === undefined ? "{}" : toSafeJson(fields, toDecimal);
    const extraFields = fieldsJson === "{}" ? "" : `,${fieldsJson.slice(1, -1)}`;
    return entries.append({ row, locale }, catalog.stock, createEntry, {
      textWriter,
      digestWriter,
      separator,
      extraFields,
    });
  };
  return {
    serialize({ terms, queries, hits, notice }, view, { redirectUrl, facets, resultFields } = {}) {
      textWriter.clear();
      digestWriter.clear();
      const { prefix } = view;
      const redirect = redirectUrl === undefined ? "" : `"redirect_url":${toSafeJson(redirectUrl)},`;
      const queriesJson = toSafeJson(queries.map((query) => queryJson({ query, prefix })));
      const noticeText =
        notice === undefined ? "" : `"notice":${toSafeJson(noticeJson({ notice, q: terms, prefix }))},`;
      writeTextAndDigest(`{${redirect}${noticeText}"resources":{"results":{"queries":${queriesJson}`);
      for (const [openingText, type] of responseLists) {
        writeTextAndDigest(openingText);
        let separator = "";
        for (const { externalId } of hits[type])
          if (appendEntry(externalId, type, view, { separator, resultFields })) separator = ",";
        writeTextAndDigest("]");
      }
      writeTextAndDigest("}");
      if (facets !== undefined) writeTextAndDigest(`,"facets":${toSafeJson(facets)}`);
      textWriter.text("}}");
      return {
        body: textWriter.take(),
        tag: hash("sha256", digestWriter.getBytes(), "base64url").slice(0, ETAG_LENGTH),
      };
    },
  };
}

/** Fields with decimal prices in the suggestions of Shopify. */
const decimalPrices: ReadonlySet<string> = new Set([
  "price",
  "price_min",
  "price_max",
  "compare_at_price",
  "compare_at_price_min",
  "compare_at_price_max",
]);

/** Length of an entity tag, in base64 characters. */
const ETAG_LENGTH = 22;

/** Catalog, language, and link prefix for the JSON of suggestions. */
export interface SuggestView {
  readonly catalog: Catalog;
  readonly locale: string;
  /** Path prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

/** Returns the JSON fields of a catalog entry in suggestions, in the given language.  @see spec 2.1 */
export function serializeEntry(entry: Entry, { catalog, locale, prefix }: SuggestView): Record<string, unknown> {
  switch (entry.kind) {
    case "product":
      return productJson({ product: entry, prefix });
    case "collection":
      return collectionJson({ collection: entry, locale, prefix, catalog });
    case "page":
      return pageJson({ page: entry, prefix });
    case "article":
      return articleJson({ article: entry, prefix });
    case "bundle":
      return bundleJson({ bundle: entry, prefix });
  }
}

export const queryJson = createSerializer(queryPresenter);
export const noticeJson = createSerializer(noticePresenter);
const resultJson = createSerializer(resultPresenter);

/**
 * Returns a function that creates the additional JSON fields of a product for this search, such as the variant that
 * matches the query. The function takes the product's internal number. Returns undefined if no fields are added.
 * @param prefix locale prefix of links: "/fr", or "" for the default language
 */
export function createResultFields(search: ProductSearch, prefix: string): OptionalFields["resultFields"] {
  const { catalog, collapse, locale } = search.at;
  const includesVariants = prefix !== "" || mentionsVariant(search.q, catalog);
  if (collapse !== true && !includesVariants) return undefined;
  return (number) => {
    const entry = includesVariants ? findEntry(catalog, "product", number) : undefined;
    const product = entry && localize(entry, locale);
    const variant = product && findMatchedVariant(search, product);
    const variantFields =
      product === undefined || variant === undefined
        ? {}
        : { matched_variant: variantJson({ product, variant, prefix }) };
    return { ...(collapse === true ? resultJson({ number, search, prefix }) : {}), ...variantFields };
  };
}

const pageJson = createSerializer(pagePresenter);
const bundleJson = createSerializer(bundlePresenter);

const collectionJson = createSerializer<CollectionView & { readonly catalog: Catalog }>({
  ...collectionPresenter,
  image: ({ collection }) => getOwnImage(collection)?.src,
  featured_image: (collectionView) =>
    serializeImage(
      findFeaturedImage(collectionView, collectionView.catalog, () =>
        collectionView.catalog.collectionProducts(collectionView.collection.handle),
      ),
    ),
});

const articleJson = createSerializer<ArticleView>({
  ...articlePresenter,
  image: ({ article }) => getOwnImage(article)?.src,
  featured_image: ({ article }) => serializeImage(getOwnImage(article)),
});
