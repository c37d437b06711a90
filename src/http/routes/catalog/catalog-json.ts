import { type Catalog, readEntries } from "../../../catalog/catalog.ts";
import type { Collection } from "../../../catalog/collection.ts";
import { localize, localizeOffer } from "../../../catalog/localize.ts";
import { formatVariantPath } from "../../../catalog/presenters/variant.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { formatDecimalCollection, serializeListedProduct } from "../../json/decimal-product-json.ts";
import { toFullVariantJson } from "../../json/product-json.ts";
import { parseCount } from "../../read-page.ts";
import { createCacheableJson } from "../../response-cache.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";

type ListingServices = Pick<Shop, "config" | "snapshot" | "process">;

/**
 * Handles `GET /products.json` and `GET /collections/<handle>/products.json`: returns a page of products. `?limit=` is
 * the page size (default 30, maximum 250), and `?page=` starts at 1. Invalid values are ignored.
 */
export async function listProducts(shop: ListingServices, request: StoreRequest): Promise<Reply> {
  const snapshot = shop.snapshot();
  const { catalog } = snapshot;
  const numbers = listProductNumbers(catalog, request.params.handle ?? "all");
  const products: unknown[] = [];
  let variantCount = 0;
  for (const entry of readEntries(catalog, "product", selectPage(numbers, request.query))) {
    const product = localize(entry, request.locale);
    products.push(
      serializeListedProduct({ product, prefix: "", currency: shop.config.currency, origin: request.origin }),
    );
    variantCount += product.variants.length;
    if (variantCount < VARIANTS_PER_YIELD) continue;
    variantCount = 0;
    await shop.process.scheduler.yield("background");
  }
  return createCacheableJson(request, { products }, snapshot);
}

/** Handles `GET /collections.json`: returns a page of collections, with the parameters of {@link listProducts}. */
export async function listCollections(shop: ListingServices, request: StoreRequest): Promise<Reply> {
  const snapshot = shop.snapshot();
  const { catalog } = snapshot;
  const numbers = selectPage(catalog.numbers("collection"), request.query);
  const collections = Array.from(readEntries(catalog, "collection", numbers), (collection) =>
    createCollectionJson(catalog, collection, request),
  );
  return createCacheableJson(request, { collections }, snapshot);
}

/** Handles `GET /collections/<handle>.json`: returns one collection. */
export function getCollectionFile(shop: Pick<Shop, "snapshot">, request: StoreRequest): Reply | undefined {
  const snapshot = shop.snapshot();
  const { catalog } = snapshot;
  const { file = "" } = request.params;
  const collection = catalog.collection(file.replace(/\.json$/, ""));
  // A collection may have a handle that ends in ".json". This URL is then the page of that collection.
  if (collection === undefined && catalog.collection(file) !== undefined) return undefined;
  if (collection === undefined) throw new Problem("not_found", "There is no such collection.");
  return createCacheableJson(request, { collection: createCollectionJson(catalog, collection, request) }, snapshot);
}

/**
 * Handles `GET /variants/<id>`, which redirects to the product page, and `GET /variants/<id>.js`, which returns the
 * variant as JSON.
 */
export function showVariant(shop: Pick<Shop, "config" | "snapshot">, request: StoreRequest): Reply {
  const snapshot = shop.snapshot();
  const { catalog } = snapshot;
  const { id = "" } = request.params;
  const foundOffer = catalog.variant(id);
  const offer = foundOffer ?? catalog.variant(id.replace(/\.js$/, ""));
  if (offer === undefined) throw new Problem("not_found", "There is no such variant.");
  const prefix = formatLocalePrefix(request.locale, shop.config.locales);
  const view = { ...localizeOffer(offer, request.locale), prefix };
  if (foundOffer !== undefined) return redirect(302, formatVariantPath(view));
  return createCacheableJson(request, toFullVariantJson(view), snapshot);
}

const MAX_PAGE_SIZE = 250;
const PAGE_SIZE = 30;
/** Number of variants that are serialized in a few milliseconds. After that, other requests can run. */
const VARIANTS_PER_YIELD = 500;

/**
 * Returns the internal numbers of a collection's products. The collection "all" contains the entire catalog, unless the
 * merchant created one with that handle.
 * @throws Problem `not_found`
 */
function listProductNumbers(catalog: Catalog, handle: string): Uint32Array {
  if (catalog.collection(handle) !== undefined) return catalog.collectionProducts(handle);
  if (handle !== "all") throw new Problem("not_found", "There is no such collection.");
  return catalog.numbers("product");
}

function selectPage(numbers: Uint32Array, query: URLSearchParams): Uint32Array {
  const size = Math.min(parseCount(query.get("limit")) ?? PAGE_SIZE, MAX_PAGE_SIZE);
  const page = parseCount(query.get("page")) ?? 1;
  return numbers.subarray(size * (page - 1), size * page);
}

function createCollectionJson(catalog: Catalog, collection: Collection, { locale, origin }: StoreRequest) {
  const count = catalog.collectionProducts(collection.handle).length;
  return formatDecimalCollection(localize(collection, locale), count, origin);
}
