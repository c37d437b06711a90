import { createCache } from "../../runtime/cache.ts";
import type { Row } from "../catalog.ts";
import type { LiveStock } from "../live/live-stock.ts";
import type { PackedRows } from "../packed/rows.ts";
import type { Product } from "../product.ts";
import { readAvailability } from "./availability.ts";
import { FacetIndex } from "./facet-index.ts";
import { type BaseFacets, type DeltaFacets, FacetLayers } from "./facet-layers.ts";
import type { Facet, Facets, FacetValue, FilteredList, ProductList } from "./facets.ts";
import {
  type FilterSelection,
  facetParams,
  formatSelectionKey,
  isMetafieldFacet,
  isOptionFacet,
} from "./filter-selection.ts";
import { findMatches } from "./find-matches.ts";
import { findGroupMembers, getGroupKey } from "./product-groups.ts";
import { openRankingValues } from "./ranking-values.ts";
import { scanList } from "./scan-list.ts";
import { sortNumbers } from "./sorted-numbers.ts";
import { getTitle } from "./title-ranks.ts";
import { createUnfilteredList, type UnfilteredList } from "./unfiltered-list.ts";

/**
 * Maximum number of values per facet. If there are more, only the most frequent values and the selected values are
 * shown.
 */
const MAX_FACET_VALUES = 100;
/** Maximum number of option facets. If there are more, only the facets with the most products are shown. */
const MAX_OPTIONS = 20;
/** Maximum bytes of a catalog's cache of sorted lists and facet values. */
const MAX_CACHED_BYTES = 32 * 1_024 * 1_024;

/** Maximum number of option values that `optionValues` returns. Listing them takes about a millisecond. */
const MAX_LISTED_OPTION_VALUES = 2_000;

/** Approximate memory of a filtered list's facet values in bytes. */
const FILTERED_LIST_BYTES = 20_000;

/**
 * Returns the filters, counts and sort orders of a catalog.
 * @param getLayers returns the facet data with the current stock; called before each use
 * @param lookUpTitle returns the title of a product in a locale
 */
function openFacets(
  getLayers: () => FacetLayers,
  getStockEpoch: () => number,
  lookUpTitle: (number: number, locale: string) => string,
): Pick<Facets, "filter" | "sort" | "hasDates" | "valuesOf"> {
  const cache = createCache<string, { readonly value: object; readonly bytes: number }>({
    name: "facets",
    maxWeight: MAX_CACHED_BYTES,
    weigh: ({ bytes }, key) => 200 + key.length * 2 + bytes,
  });
  /**
   * Returns a cached value, or creates and caches it.
   * @param key cache key; its first word distinguishes filtered, unfiltered and sorted lists
   */
  const getOrCreate = <T extends object>(key: string, createValue: () => T, countBytes: (value: T) => number): T =>
    cache.getOrCreate(key, () => {
      const value = createValue();
      return { value, bytes: countBytes(value) };
    }).value as T;
  const getUnfilteredList = (list: ProductList): FacetedList =>
    getOrCreate(
      `whole ${list.key}`,
      () => countFacets(getLayers(), list.numbers()),
      ({ topFacets, counts, baseTermCounts }) =>
        8 * topFacets.reduce((sum, { ids }) => sum + ids.length, 0) +
        2 * counts.byteLength +
        baseTermCounts.positions.byteLength,
    );
  const filterProducts = (list: ProductList, selection: FilterSelection, key: string): FilteredList => {
    const layers = getLayers();
    const listWithCounts = getUnfilteredList(list);
    const { highestPrice, topFacets } = listWithCounts;
    const { counts, matchingNumbers, inStockCount, soldOutCount } = scanList(layers, listWithCounts, selection);
    const facets = topFacets.map(({ facet, ids }): Facet => {
      const selectedIds = [...(selection.values.get(facet) ?? [])].map((value) => layers.idOf({ facet, value }));
      const valueIds = new Set([...ids, ...selectedIds.filter((id) => id !== undefined)]);
      return {
        facet,
        values: [...valueIds].map((id) => {
          const example = layers.findExample(id);
          return { value: layers.getTerm(id).value, count: counts[id] as number, example };
        }),
      };
    });
    return {
      list: { key, numbers: () => matchingNumbers },
      inStockCount,
      soldOutCount,
      highestPrice,
      facets,
    };
  };
  /** Returns the products that match the expression of a selection; `list` if it has none. */
  const applyExpression = (list: ProductList, { expression }: FilterSelection): ProductList => {
    if (expression === undefined) return list;
    const key = `match ${getStockEpoch()} ${JSON.stringify(expression)} ${list.key}`;
    const numbers = getOrCreate(
      key,
      () => findMatches(getLayers(), list.numbers(), expression),
      ({ byteLength }) => byteLength,
    );
    return { key, numbers: () => numbers };
  };
  return {
    filter: (unfilteredList, selection) => {
      const list = applyExpression(unfilteredList, selection);
      // The key contains the stock epoch, because counts are valid only until the stock changes.
      const key = `narrow ${getStockEpoch()} ${formatSelectionKey(selection)} ${list.key}`;
      return getOrCreate(
        key,
        () => filterProducts(list, selection, key),
        (filteredList) => filteredList.list.numbers().byteLength + FILTERED_LIST_BYTES,
      );
    },
    sort: (list, key, locale) =>
      getOrCreate(
        `sort ${key} ${key.startsWith("title") ? locale : ""} ${list.key}`,
        () => sortNumbers(getLayers(), list.numbers(), key, locale, lookUpTitle),
        ({ byteLength }) => byteLength,
      ),
    hasDates: () => getLayers().allLayers.some(({ rows }) => rows.creationTimes.length > 0),
    valuesOf: (list, facet) => {
      const layers = getLayers();
      const { counts } = getUnfilteredList(list);
      const values: FacetValue[] = [];
      layers.forEachTerm(facet, (id) => layers.addValue(values, id, counts));
      return values;
    },
  };
}

interface FacetedList extends UnfilteredList {
  readonly topFacets: readonly { readonly facet: string; readonly ids: readonly number[] }[];
}

function countFacets(layers: FacetLayers, numbers: Uint32Array): FacetedList {
  const list = createUnfilteredList(layers, numbers);
  const { counts } = list;
  const topFacets = layers.facets().map((facet) => {
    const topValues = new TopValues(counts, MAX_FACET_VALUES);
    layers.forEachTerm(facet, (id) => topValues.add(id));
    return { facet, ids: topValues.ids, products: topValues.products };
  });
  const options = topFacets
    .filter(({ facet, ids }) => isOptionFacet(facet) && ids.length > 0)
    .sort((a, b) => b.products - a.products)
    .slice(0, MAX_OPTIONS);
  const findTopFacets = (name: string) => topFacets.filter(({ facet, ids }) => facet === name && ids.length > 0);
  const metafields = topFacets.filter(({ facet, ids }) => isMetafieldFacet(facet) && ids.length > 0);
  return {
    ...list,
    topFacets: [
      ...findTopFacets(facetParams.productType),
      ...findTopFacets(facetParams.vendor),
      ...options,
      ...findTopFacets(facetParams.tag),
      ...metafields,
    ],
  };
}

/**
 * Collects the most frequent facet values, most frequent first. Equally frequent values stay in the order of addition.
 */
class TopValues {
  readonly ids: number[] = [];
  /** Sum of the product counts of all added values. */
  products = 0;
  readonly #counts: Uint32Array;
  readonly #maxCount: number;

  constructor(counts: Uint32Array, maxValues: number) {
    this.#counts = counts;
    this.#maxCount = maxValues;
  }

  add(id: number): void {
    const { ids } = this;
    const count = this.#counts[id] as number;
    this.products += count;
    if (count === 0) return;
    if (ids.length === this.#maxCount) {
      if (count <= (this.#counts[ids[ids.length - 1] as number] as number)) return;
      ids.pop();
    }
    let insertionIndex = ids.length;
    while (insertionIndex > 0 && count > (this.#counts[ids[insertionIndex - 1] as number] as number))
      insertionIndex -= 1;
    ids.splice(insertionIndex, 0, id);
  }
}

/** Data from which the facets of a catalog are created. */
export interface FacetSource {
  readonly base: BaseFacets;
  /** Changes since the base catalog was built, oldest first. */
  readonly deltas: readonly DeltaFacets[];
  readonly stock: LiveStock;
  /** Reads a row with its current stock. */
  readRow(rows: PackedRows, position: number): Row | undefined;
}

/**
 * Returns the facets of a catalog. Results are cached with the catalog. Results that depend on stock are valid until
 * the stock changes.
 */
export function createCatalogFacets({ base, deltas, stock, readRow }: FacetSource): Facets {
  const layers = new FacetLayers(base, deltas);
  const getCurrentLayers = (): FacetLayers => {
    stock.recordFullRead();
    for (const layer of layers.allLayers) {
      const readProduct = (position: number) => {
        const row = readRow(layer.packedRows, position);
        return row?.kind === "product" ? row : undefined;
      };
      layer.availability = readAvailability(layer.packedRows, layer.rows, stock, readProduct);
    }
    return layers;
  };
  const readProduct = (number: number): Product | undefined => {
    const location = layers.locate(number);
    const row = location && readRow(location.layer.packedRows, location.position);
    return row?.kind === "product" ? row : undefined;
  };
  const lookUpTitle = (number: number, locale: string): string => {
    const product = readProduct(number);
    return product === undefined ? "" : getTitle(product, locale);
  };
  const facetIndex = new FacetIndex(layers);
  return {
    ...openFacets(getCurrentLayers, stock.epoch, lookUpTitle),
    rankingValues: openRankingValues(layers, stock, readProduct),
    values: (facet) => facetIndex.values(facet),
    findProductsWithValue: (facet, values) => facetIndex.findProductsWithValue(facet, values),
    optionValues: () => {
      const ids: number[] = [];
      layers.forEachOption((id) => ids.push(id));
      return ids.length > MAX_LISTED_OPTION_VALUES ? undefined : new Set(ids.map((id) => layers.getTerm(id).value));
    },
    groupOf: (number) => getGroupKey(layers, number),
    listGroupProducts: (key) => findGroupMembers(layers, key),
  };
}
