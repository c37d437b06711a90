import { localize } from "../../../catalog/localize.ts";
import { productPath } from "../../../catalog/presenters/product.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import type { Reply } from "../../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../../wire/request.ts";
import { atomFeed, MAX_ENTRIES } from "./atom-feed.ts";

/**
 * `GET /collections/<collection>.atom`: the first products of a collection, in its order and in the language of the
 * path; "all" is the entire catalog.
 * @returns undefined if a collection's handle ends in ".atom": then this is its page
 * @throws Problem `not_found`
 * @see RFC 4287
 */
export function collectionFeed(shop: Pick<Shop, "config" | "snapshot">, request: StoreRequest): Reply | undefined {
  const { file = "" } = request.params;
  const { catalog } = shop.snapshot();
  const handle = file.slice(0, -".atom".length);
  const collection = catalog.collection(handle);
  if (collection === undefined && catalog.collection(file) !== undefined) return undefined;
  if (collection === undefined && handle !== "all") throw new Problem("not_found", "There is no such collection.");
  const numbers = collection === undefined ? catalog.numbers("product") : catalog.collectionProducts(handle);
  const prefix = localePrefix(request.locale, shop.config.locales);
  const title = collection === undefined ? shop.config.name : localize(collection, request.locale).title;
  return atomFeed({
    title: collection === undefined ? title : `${shop.config.name} - ${title}`,
    page: `${request.origin}${prefix}/collections/${encodeURIComponent(handle)}`,
    locale: request.locale,
    author: shop.config.name,
    entries: Array.from(numbers.subarray(0, MAX_ENTRIES)).flatMap((number) => {
      const entry = catalog.entry(number);
      if (entry?.kind !== "product") return [];
      const product = localize(entry, request.locale);
      return [
        {
          title: product.title,
          url: request.origin + productPath({ product, prefix }),
          publishedAt: product.publishedAt ?? product.createdAt,
          updatedAt: product.updatedAt,
          author: product.vendor,
          tags: product.tags,
          content: product.description,
        },
      ];
    }),
  });
}
