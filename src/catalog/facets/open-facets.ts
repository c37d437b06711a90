import { createCache } from "../../runtime/cache.ts";
import type { Row } from "../catalog.ts";
import type { LiveStock } from "../live/live-stock.ts";
import type { PackedRows } from "../packed/rows.ts";
import { availabilityNow } from "./availability.ts";
import { FacetIndex } from "./facet-index.ts";
import { type FacetBase, type FacetDelta, FacetLayers } from "./facet-layers.ts";
import type { Facet, Facets, FacetValue, Narrowed, ProductList } from "./facets.ts";
import {
  type FilterSelection,
  facetParams,
  isMetafieldFacet,
  isOptionFacet,
  selectionKey,
} from "./filter-selection.ts";
import { scanList } from "./scan-list.ts";
import { sortedNumbers } from "./sorted-numbers.ts";
import { titleIn } from "./title-ranks.ts";
import { type UnfilteredList, unfilteredList } from "./unfiltered-list.ts";

/** Maximum number of values per facet. The most frequent values are kept, and selected values are always included. */
const MAX_OFFERED = 100;
/** Maximum number of option facets. The facets with the most products are kept. */
const MAX_OPTIONS = 20;
/** Maximum bytes of a catalog's cache of sorted lists and facet values. */
const MAX_CACHED_BYTES = 32 * 1_024 * 1_024;

/** Approximate bytes of the facet values of a filtered list. */
const NARROWED_BYTES = 20_000;

/**
 * Returns the filters, counts and sort orders of a catalog.
 * @param layersNow returns the layers with the current stock; called before each use
 * @param titleOf returns the title of a product in a locale
 */
export function openFacets(
  layersNow: () => FacetLayers,
  epoch: () => number,
  titleOf: (number: number, locale: string) => string,
): Omit<Facets, "values" | "holding"> {
  const cache = createCache<string, { readonly value: object; readonly bytes: number }>({
    name: "facets",
    maxWeight: MAX_CACHED_BYTES,
    weigh: ({ bytes }, key) => 200 + key.length * 2 + bytes,
  });
  /** @param key begins with a word that names the type of the value */
  const cached = <T extends object>(key: string, create: () => T, bytesOf: (value: T) => number): T =>
    cache.getOrCreate(key, () => {
      const value = create();
      return { value, bytes: bytesOf(value) };
    }).value as T;
  const unfilteredOf = (list: ProductList): CountedList =>
    cached(
      `whole ${list.key}`,
      () => countList(layersNow(), list.numbers()),
      ({ offered, counts, inBase }) =>
        8 * offered.reduce((sum, { ids }) => sum + ids.length, 0) + 2 * counts.byteLength + inBase.places.byteLength,
    );
  const narrow = (list: ProductList, choice: FilterSelection, key: string): Narrowed => {
    const layers = layersNow();
    const unfiltered = unfilteredOf(list);
    const { highestPrice, offered } = unfiltered;
    const { counts, matched, inStock, soldOut } = scanList(layers, unfiltered, choice);
    const facets = offered.map(({ facet, ids }): Facet => {
      const chosen = [...(choice.values.get(facet) ?? [])].map((value) => layers.idOf({ facet, value }));
      const shown = new Set([...ids, ...chosen.filter((id) => id !== undefined)]);
      return {
        facet,
        values: [...shown].map((id) => {
          const example = layers.exampleOf(id);
          return { value: layers.term(id).value, count: counts[id] as number, example };
        }),
      };
    });
    return { list: { key, numbers: () => matched }, inStock, soldOut, highestPrice, facets };
  };
  return {
    narrow: (list, choice) => {
      // Counts are valid until the stock changes.
      const key = `narrow ${epoch()} ${selectionKey(choice)} ${list.key}`;
      return cached(
        key,
        () => narrow(list, choice, key),
        (made) => made.list.numbers().byteLength + NARROWED_BYTES,
      );
    },
    sort: (list, key, locale) =>
      cached(
        `sort ${key} ${key.startsWith("title") ? locale : ""} ${list.key}`,
        () => sortedNumbers(layersNow(), list.numbers(), key, locale, titleOf),
        ({ byteLength }) => byteLength,
      ),
    hasDates: () => layersNow().all.some(({ rows }) => rows.created.length > 0),
    valuesOf: (list, facet) => {
      const layers = layersNow();
      const { counts } = unfilteredOf(list);
      const values: FacetValue[] = [];
      layers.eachOf(facet, (id) => {
        const count = counts[id] as number;
        if (count > 0) values.push({ value: layers.term(id).value, count, example: layers.exampleOf(id) });
      });
      return values;
    },
  };
}

/** An unfiltered list with its facets. */
interface CountedList extends UnfilteredList {
  readonly offered: readonly { readonly facet: string; readonly ids: readonly number[] }[];
}

function countList(layers: FacetLayers, numbers: Uint32Array): CountedList {
  const unfiltered = unfilteredList(layers, numbers);
  const { counts } = unfiltered;
  const offered = layers.facets().map((facet) => {
    const max = new TopValues(counts, MAX_OFFERED);
    layers.eachOf(facet, (id) => max.add(id));
    return { facet, ids: max.ids, products: max.products };
  });
  const options = offered
    .filter(({ facet, ids }) => isOptionFacet(facet) && ids.length > 0)
    .sort((one, other) => other.products - one.products)
    .slice(0, MAX_OPTIONS);
  const of = (facet: string) => offered.filter((one) => one.facet === facet && one.ids.length > 0);
  const metafields = offered.filter(({ facet, ids }) => isMetafieldFacet(facet) && ids.length > 0);
  return {
    ...unfiltered,
    offered: [
      ...of(facetParams.productType),
      ...of(facetParams.vendor),
      ...options,
      ...of(facetParams.tag),
      ...metafields,
    ],
  };
}

/** Collects the most frequent terms, most frequent first. Equally frequent terms stay in the order of addition. */
class TopValues {
  readonly ids: number[] = [];
  /** Total number of products over all added terms. */
  products = 0;
  readonly #counts: Uint32Array;
  readonly #most: number;

  constructor(counts: Uint32Array, max: number) {
    this.#counts = counts;
    this.#most = max;
  }

  add(id: number): void {
    const { ids } = this;
    const count = this.#counts[id] as number;
    this.products += count;
    if (count === 0) return;
    if (ids.length === this.#most) {
      if (count <= (this.#counts[ids[ids.length - 1] as number] as number)) return;
      ids.pop();
    }
    let at = ids.length;
    while (at > 0 && count > (this.#counts[ids[at - 1] as number] as number)) at -= 1;
    ids.splice(at, 0, id);
  }
}

/** Data from which the facets of a catalog are created. */
export interface FacetSource {
  readonly base: FacetBase;
  /** Deltas over the base, oldest first. */
  readonly deltas: readonly FacetDelta[];
  readonly stock: LiveStock;
  /** Reads a row with its current stock. */
  read(rows: PackedRows, place: number): Row | undefined;
}

/**
 * Returns the facets of a catalog. Results are cached with the catalog. Results that depend on stock are valid until
 * the stock changes.
 */
export function catalogFacets({ base, deltas, stock, read }: FacetSource): Facets {
  const layers = new FacetLayers(base, deltas);
  const layersNow = (): FacetLayers => {
    stock.noteAll();
    for (const layer of layers.all) {
      const product = (place: number) => {
        const row = read(layer.packed, place);
        return row?.kind === "product" ? row : undefined;
      };
      layer.availability = availabilityNow(layer.packed, layer.rows, stock, product);
    }
    return layers;
  };
  const titleOf = (number: number, locale: string): string => {
    const found = layers.locate(number);
    const row = found && read(found.layer.packed, found.place);
    return row?.kind === "product" ? titleIn(row, locale) : "";
  };
  const holders = new FacetIndex(layers);
  return {
    ...openFacets(layersNow, stock.epoch, titleOf),
    values: (facet) => holders.values(facet),
    holding: (facet, values) => holders.holding(facet, values),
  };
}
