import { hash } from "node:crypto";
import type { Catalog, Entry } from "../../catalog/catalog.ts";
import { localize } from "../../catalog/localize.ts";
import {
  articleImage,
  articlePresenter,
  bundlePresenter,
  collectionFeaturedImage,
  collectionImage,
  collectionPresenter,
  pagePresenter,
  type ShownArticle,
  type ShownCollection,
} from "../../catalog/presenters/content.ts";
import { recordsOf } from "../../catalog/presenters/presenter.ts";
import type { EntryType, PredictiveSearchHits } from "../../predictive-search/predictive-search.ts";
import { queryPresenter } from "../../predictive-search/query-presenter.ts";
import { type ByteString, ByteWriter } from "../wire/byte-string.ts";
import { type EntryJson, EntryJsonCache } from "./entry-json-cache.ts";
import { inertJson } from "./inert-json.ts";
import { imageJson, productJson } from "./product-json.ts";

/** The body of `/search/suggest.json`, and an entity tag for it. */
export interface SuggestText {
  readonly body: ByteString;
  readonly tag: string;
}

/** Writes suggestions as JSON. The JSON of catalog entries is cached as bytes with their digests: a response joins the bytes, and its entity tag is a
 *  digest of a few hundred bytes of digests instead of thousands. */
export interface SuggestTexts {
  /** @see spec 2.1 */
  of(found: Omit<PredictiveSearchHits, "redirect" | "isFound">, view: SuggestView, more?: MoreText): SuggestText;
}

/** Fields that only some responses have. */
export interface MoreText {
  /** The URL to which the merchant redirects searches for this query. */
  readonly redirectUrl?: string | undefined;
  /** Filters for the products that the search finds. */
  readonly facets?: readonly object[] | undefined;
}

/** The arrays of the response, and the type of their entries. */
const lists: readonly (readonly [opening: string, type: EntryType])[] = [
  [',"products":[', "product"],
  [',"collections":[', "collection"],
  [',"pages":[', "page"],
  [',"articles":[', "article"],
  [',"bundles":[', "bundle"],
];

/** @param maxBytes of the cached JSON of entries */
export function createSuggestTexts(maxBytes: number): SuggestTexts {
  const entries = new EntryJsonCache(maxBytes);
  const texts = new ByteWriter();
  const digests = new ByteWriter();
  const both = (text: string): void => {
    texts.text(text);
    digests.text(text);
  };
  const append = (number: number, type: EntryType, view: SuggestView, separator: string): boolean => {
    const { catalog, locale } = view;
    // A collection shows an image of one of its products, which may change although the collection's row is the same.
    const at = type === "collection" ? { rows: catalog, place: number } : catalog.placeOf(number);
    const make = (): EntryJson | undefined => {
      const entry = catalog.entry(number);
      if (entry?.kind !== type) return undefined;
      const text = inertJson(entryJson(localize(entry, locale), view));
      return entry.kind === "product" ? { text, stock: catalog.stock.markOf(entry) } : { text };
    };
    return at !== undefined && entries.append({ at, locale }, catalog.stock, make, { texts, digests, separator });
  };
  return {
    of({ queries, hits }, view, { redirectUrl, facets } = {}) {
      texts.clear();
      digests.clear();
      const { prefix } = view;
      const redirect = redirectUrl === undefined ? "" : `"redirect_url":${inertJson(redirectUrl)},`;
      const shownQueries = inertJson(queries.map((query) => queryJson({ query, prefix })));
      both(`{${redirect}"resources":{"results":{"queries":${shownQueries}`);
      for (const [opening, type] of lists) {
        both(opening);
        let separator = "";
        for (const { externalId } of hits[type]) if (append(externalId, type, view, separator)) separator = ",";
        both("]");
      }
      both("}");
      if (facets !== undefined) both(`,"facets":${inertJson(facets)}`);
      texts.text("}}");
      return { body: texts.take(), tag: hash("sha256", digests.written(), "base64url").slice(0, TAG_LENGTH) };
    },
  };
}

/** Characters of 6 bits each. */
const TAG_LENGTH = 22;

/** The catalog and language of suggestions. */
export interface SuggestView {
  readonly catalog: Catalog;
  readonly locale: string;
  /** Prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

/** An entry as suggestions show it, in the language of the view.  @see spec 2.1 */
export function entryJson(entry: Entry, { catalog, locale, prefix }: SuggestView): Record<string, unknown> {
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

export const queryJson = recordsOf(queryPresenter);
const pageJson = recordsOf(pagePresenter);
const bundleJson = recordsOf(bundlePresenter);

const collectionJson = recordsOf<ShownCollection & { readonly catalog: Catalog }>({
  ...collectionPresenter,
  image: ({ collection }) => collectionImage(collection)?.src,
  featured_image: (shown) =>
    imageJson(
      collectionFeaturedImage(shown, shown.catalog, () => shown.catalog.collectionProducts(shown.collection.handle)),
    ),
});

const articleJson = recordsOf<ShownArticle>({
  ...articlePresenter,
  image: ({ article }) => articleImage(article)?.src,
  featured_image: ({ article }) => imageJson(articleImage(article)),
});
