import { type Catalog, type OfferedVariant, readEntries } from "../../catalog/catalog.ts";
import { emptySelection, type FilterSelection } from "../../catalog/facets/filter-selection.ts";
import { localize } from "../../catalog/localize.ts";
import type { Product, Variant } from "../../catalog/product.ts";
import { isAvailable } from "../../catalog/stock.ts";
import { findSearchPage } from "../../predictive-search/search-page.ts";
import { readSearchTerms } from "../../predictive-search/suggest-params.ts";
import { createFieldProblem, Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import { createSearchContext } from "../routes/catalog/search-suggest-json.ts";
import { formatLocalePrefix } from "../wire/request.ts";
import type { AgentCall, AgentOperation, ObjectSchema } from "./agent-operation.ts";
import {
  findMatchingVariants,
  matchesPrice,
  readFilters,
  readOptionValues,
  readPagination,
} from "./catalog-payload.ts";
import { MAX_ITEMS, readList, readObject, readText } from "./payload.ts";
import { signPrice } from "./quotes.ts";
import { selectVariants } from "./select-variants.ts";
import { toUcpResponse, type UcpMessage, type UcpResponse } from "./ucp.ts";
import { toUcpProduct, type UcpProductContext } from "./ucp-product.ts";

type CatalogServices = Pick<Shop, "config" | "snapshot" | "keys">;

const context: ObjectSchema = {
  type: "object",
  description: "Where the buyer is.",
  properties: {
    address_country: { type: "string", description: "ISO 3166-1 code, such as DE." },
    language: { type: "string", description: "Language of the texts, such as fr." },
  },
};

const filters: ObjectSchema = {
  type: "object",
  properties: {
    categories: { type: "array", items: { type: "string" }, description: "Product types, any of them." },
    price: {
      type: "object",
      description: "Limits in minor units of the shop's currency.",
      properties: { min: { type: "integer", minimum: 0 }, max: { type: "integer", minimum: 0 } },
    },
  },
};

/** Operations that read the catalog. They are not counted as searches of shoppers. */
export const catalogOperations: readonly AgentOperation<CatalogServices>[] = [
  {
    name: "search_catalog",
    capability: "dev.ucp.shopping.catalog.search",
    endpoint: { method: "POST", path: "/catalog/search" },
    description:
      "Search the products of this shop, or list products by filters. Prices are in minor units. Pass a variant's id to create_cart.",
    changesCart: false,
    arguments: {
      catalog: {
        type: "object",
        properties: {
          query: { type: "string", description: "Words to search, such as a product name." },
          context,
          filters,
          pagination: {
            type: "object",
            properties: {
              cursor: { type: "string", description: "`pagination.cursor` of the previous response." },
              limit: { type: "integer", minimum: 1, maximum: 50, default: 10 },
            },
          },
        },
      },
    },
    run: searchCatalog,
  },
  {
    name: "lookup_catalog",
    capability: "dev.ucp.shopping.catalog.lookup",
    endpoint: { method: "POST", path: "/catalog/lookup" },
    description: "Read products by the ids of products or variants, by SKU, or by handle.",
    changesCart: false,
    arguments: {
      catalog: {
        type: "object",
        required: ["ids"],
        properties: { ids: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 50 }, filters, context },
      },
    },
    run: lookupCatalog,
  },
  {
    name: "get_product",
    capability: "dev.ucp.shopping.catalog.lookup",
    endpoint: { method: "POST", path: "/catalog/product" },
    description: "Read one product with its options and the availability of each option value.",
    changesCart: false,
    arguments: {
      catalog: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string", description: "Id of a product or variant." },
          selected: {
            type: "array",
            items: {
              type: "object",
              required: ["name", "label"],
              properties: { name: { type: "string" }, label: { type: "string" } },
            },
            description: "Selected options, such as [{name: 'Size', label: 'M'}].",
          },
          preferences: {
            type: "array",
            items: { type: "string" },
            description: "Names of options. If no variant matches, the last one is dropped first.",
          },
          filters,
          context,
        },
      },
    },
    run: getProduct,
  },
];

/**
 * Maximum number of variants in a response: `MAX_VARIANTS` for a single product, `MAX_LISTED_VARIANTS` for each product
 * in a list. The other two limits are the maximum length of the description, in characters.
 */
const MAX_VARIANTS = 50;
const MAX_LISTED_VARIANTS = 10;
const MAX_DESCRIPTION_LENGTH = 5_000;
const MAX_SUMMARY_LENGTH = 500;

async function searchCatalog(shop: CatalogServices, { request, payload }: AgentCall): Promise<UcpResponse> {
  const q = readSearchTerms(readText(payload, "query") ?? "").trim();
  const selection = readFilters(readObject(payload, "filters"));
  if (q === "" && selection === undefined)
    throw createFieldProblem("query", "required", "Send a query, or filters to list products.");
  const { page, perPage } = readPagination(readObject(payload, "pagination") ?? {});
  const snapshot = shop.snapshot();
  const { catalog } = snapshot;
  const { products, total } =
    q === ""
      ? listProducts(catalog, selection ?? emptySelection, page, perPage)
      : searchProducts({ q, types: ["product"], page, perPage, ...(selection === undefined ? {} : { selection }) });
  const productContext = createContext(shop, request, catalog, MAX_SUMMARY_LENGTH);
  const hasNextPage = page * perPage < total;
  return toUcpResponse("dev.ucp.shopping.catalog.search", {
    products: products.map((product) => {
      const localProduct = localize(product, request.locale);
      const matches = localProduct.variants.filter((variant) => matchesPrice(variant, selection));
      const variants = sortAvailableFirst(matches.length === 0 ? localProduct.variants : matches);
      return toUcpProduct(localProduct, variants.slice(0, MAX_LISTED_VARIANTS), productContext);
    }),
    pagination: {
      has_next_page: hasNextPage,
      ...(hasNextPage ? { cursor: `${page + 1}.${perPage}` } : {}),
      total_count: total,
    },
  });

  function searchProducts(params: Parameters<typeof findSearchPage>[0]): ProductMatches {
    const { entries, total } = findSearchPage(params, createSearchContext(shop, snapshot, request));
    return { products: entries.filter((entry) => entry.kind === "product"), total };
  }
}

interface ProductMatches {
  readonly products: readonly Product[];
  /** Number of products on all pages. */
  readonly total: number;
}

function listProducts(catalog: Catalog, selection: FilterSelection, page: number, perPage: number): ProductMatches {
  const { list } = catalog.facets().filter({ key: "all", numbers: () => catalog.numbers("product") }, selection);
  const numbers = list.numbers();
  const products = [...readEntries(catalog, "product", numbers.subarray((page - 1) * perPage, page * perPage))];
  return { products, total: numbers.length };
}

async function lookupCatalog(shop: CatalogServices, { request, payload }: AgentCall): Promise<UcpResponse> {
  if (Array.isArray(payload.ids) && payload.ids.length > MAX_ITEMS)
    throw new Problem("bad_request", `Send at most ${MAX_ITEMS} ids.`, [], { agentCode: "request_too_large" });
  const ids = [...new Set(readList(payload, "ids"))];
  if (ids.length === 0) throw createFieldProblem("ids", "required", "Send at least one id.");
  const { catalog } = shop.snapshot();
  const selection = readFilters(readObject(payload, "filters"));
  const inputsByVariant = new Map<string, { readonly offer: OfferedVariant; readonly inputs: object[] }>();
  const messages: UcpMessage[] = [];
  for (const id of ids) {
    const offers = findOffers(catalog, id, selection);
    if (offers.length === 0) messages.push({ type: "info", code: "not_found", content: id });
    for (const { offer, match } of offers) {
      const entry = inputsByVariant.get(offer.variant.id) ?? { offer, inputs: [] };
      entry.inputs.push({ id, match });
      inputsByVariant.set(offer.variant.id, entry);
    }
  }
  const foundOffers = [...inputsByVariant.values()];
  const productContext = createContext(shop, request, catalog, MAX_SUMMARY_LENGTH);
  const products = [...Map.groupBy(foundOffers, ({ offer }) => offer.product.id).values()].map((group) => {
    const localProduct = localize((group[0] as (typeof foundOffers)[number]).offer.product, request.locale);
    const variants = group.flatMap(
      ({ offer }) => localProduct.variants.find(({ id }) => id === offer.variant.id) ?? [],
    );
    const json = toUcpProduct(localProduct, variants, productContext);
    const variantsJson = json.variants as readonly object[];
    return { ...json, variants: variantsJson.map((variant, index) => ({ ...variant, inputs: group[index]?.inputs })) };
  });
  return toUcpResponse("dev.ucp.shopping.catalog.lookup", {
    products,
    ...(messages.length === 0 ? {} : { messages }),
  });
}

/**
 * Finds variants that match the filters.
 * @param id a variant id, SKU, product id, or handle. For a product, one variant is returned, preferably in stock
 */
function findOffers(
  catalog: Catalog,
  id: string,
  selection: FilterSelection | undefined,
): readonly { readonly offer: OfferedVariant; readonly match: string }[] {
  const matchesOffer = (offer: OfferedVariant | undefined): offer is OfferedVariant =>
    offer !== undefined && findMatchingVariants(offer.product, selection).some(({ id }) => id === offer.variant.id);
  const foundOffer = catalog.variant(id);
  if (foundOffer !== undefined) return matchesOffer(foundOffer) ? [{ offer: foundOffer, match: "exact" }] : [];
  const product = catalog.productById(id) ?? catalog.product(id);
  if (product !== undefined)
    return sortAvailableFirst(findMatchingVariants(product, selection))
      .slice(0, 1)
      .map((variant) => ({ offer: { product, variant }, match: "featured" }));
  // `variantsBySku` also returns variants of products that are not published.
  return catalog
    .variantsBySku(id)
    .map(({ variant }) => catalog.variant(variant.id))
    .filter(matchesOffer)
    .map((offer) => ({ offer, match: "exact" }));
}

async function getProduct(shop: CatalogServices, { request, payload }: AgentCall): Promise<UcpResponse> {
  const id = readText(payload, "id") ?? "";
  const { catalog } = shop.snapshot();
  const offer = catalog.variant(id);
  const product = offer?.product ?? catalog.productById(id) ?? catalog.product(id);
  if (product === undefined) throw new Problem("not_found", "There is no product with this id.");
  const selection = readFilters(readObject(payload, "filters"));
  const localProduct = localize(product, request.locale);
  const matchingIds = new Set(findMatchingVariants(product, selection).map((variant) => variant.id));
  const variants = localProduct.variants.filter((variant) => matchingIds.has(variant.id));
  if (variants.length === 0) throw new Problem("not_found", "No variant of this product matches the filters.");
  const { mainVariant, matches, selected, options } = selectVariants(localProduct, variants, {
    variantId: offer?.variant.id,
    requestedValues: readOptionValues(payload.selected),
    preferences: readList(payload, "preferences"),
  });
  const shownVariants = [mainVariant, ...matches.filter((variant) => variant !== mainVariant)].slice(0, MAX_VARIANTS);
  return toUcpResponse("dev.ucp.shopping.catalog.lookup", {
    product: {
      ...toUcpProduct(localProduct, shownVariants, createContext(shop, request, catalog, MAX_DESCRIPTION_LENGTH)),
      ...(options.length === 0 ? {} : { options, selected }),
    },
  });
}

function createContext(
  shop: Pick<Shop, "config" | "keys">,
  { origin, locale, now }: AgentCall["request"],
  { revision }: Catalog,
  maxDescription: number,
): UcpProductContext {
  return {
    origin,
    prefix: formatLocalePrefix(locale, shop.config.locales),
    currency: shop.config.currency,
    maxDescription,
    signOffer: (offer) => signPrice(shop, offer, revision, now),
  };
}

/** Returns the variants, available ones first. */
function sortAvailableFirst(variants: readonly Variant[]): readonly Variant[] {
  return variants.toSorted((left, right) => Number(isAvailable(right)) - Number(isAvailable(left)));
}
