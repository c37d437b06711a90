import { LRUCache } from "lru-cache";
import { choiceKey, type FacetChoice, isAnythingChosen, noChoice } from "./facet-choice.ts";
import type { FacetLayers } from "./facet-layers.ts";
import { facetParams, isMetafieldFacet, isOptionFacet } from "./facet-params.ts";
import { FacetScan } from "./facet-scan.ts";
import type { Facet, Facets, FacetValue, Narrowed, ProductList } from "./facets.ts";
import { sortedNumbers } from "./sorted-numbers.ts";

/** Values of one facet that are offered, those of most products of the list; chosen ones always are. */
const MAX_OFFERED = 100;
/** Facets of options that are offered, those of most products. */
const MAX_OPTIONS = 20;
/** Bytes of what is kept of one catalogue: lists in other orders, and what they offer. */
const MAX_KEPT_BYTES = 32 * 1_024 * 1_024;

/** Of what a narrowed list offers, roughly. */
const narrowedBytes = 20_000;

/** @param layersNow with the stock of now; asked for before each use  @param titleOf of a product, in a locale */
export function openFacets(
  layersNow: () => FacetLayers,
  epoch: () => number,
  titleOf: (number: number, locale: string) => string,
): Omit<Facets, "values" | "holding"> {
  const kept = new LRUCache<string, object>({ maxSize: MAX_KEPT_BYTES });
  const remember = <T extends object>(key: string, make: () => T, size: (made: T) => number): T => {
    const known = kept.get(key);
    if (known !== undefined) return known as T;
    const made = make();
    kept.set(key, made, { size: 200 + key.length * 2 + size(made) });
    return made;
  };
  /** @param scan of the whole list, where there is one already */
  const wholeOf = (list: ProductList, scan?: FacetScan): Whole =>
    remember(
      `whole ${list.key}`,
      () => lookOver(layersNow(), list.numbers(), scan),
      ({ offered }) => 8 * offered.reduce((sum, { ids }) => sum + ids.length, 0),
    );
  const narrow = (list: ProductList, choice: FacetChoice, key: string): Narrowed => {
    const layers = layersNow();
    const numbers = list.numbers();
    const scan = new FacetScan(layers, choice);
    scan.run(numbers);
    const { highestPrice, offered } = wholeOf(list, isAnythingChosen(choice) ? undefined : scan);
    const facets = offered.map(({ facet, ids }): Facet => {
      const chosen = [...(choice.values.get(facet) ?? [])].map((value) => layers.idOf({ facet, value }));
      const shown = new Set([...ids, ...chosen.filter((id) => id !== undefined)]);
      return {
        facet,
        values: [...shown].map((id) => {
          const example = layers.exampleOf(id);
          return { value: layers.term(id).value, count: scan.counts[id] as number, example };
        }),
      };
    });
    const { inStock, soldOut } = scan;
    const { matched } = scan;
    return { list: { key, numbers: () => matched }, inStock, soldOut, highestPrice, facets };
  };
  return {
    narrow: (list, choice) => {
      // Counting is kept for as long as nothing is sold.
      const key = `narrow ${epoch()} ${choiceKey(choice)} ${list.key}`;
      return remember(
        key,
        () => narrow(list, choice, key),
        (made) => made.list.numbers().byteLength + narrowedBytes,
      );
    },
    sort: (list, key, locale) =>
      remember(
        `sort ${key} ${key.startsWith("title") ? locale : ""} ${list.key}`,
        () => sortedNumbers(layersNow(), list.numbers(), key, locale, titleOf),
        ({ byteLength }) => byteLength,
      ),
    hasDates: () => layersNow().all.some(({ rows }) => rows.created.length > 0),
    valuesOf: (list, facet) =>
      remember(
        `values ${facet} ${list.key}`,
        () => valuesOf(layersNow(), list.numbers(), facet),
        ({ length }) => length * 100,
      ),
  };
}

function valuesOf(layers: FacetLayers, numbers: Uint32Array, facet: string): readonly FacetValue[] {
  const scan = new FacetScan(layers, noChoice);
  scan.run(numbers);
  const values: FacetValue[] = [];
  layers.eachOf(facet, (id) => {
    const count = scan.counts[id] as number;
    if (count > 0) values.push({ value: layers.term(id).value, count, example: layers.exampleOf(id) });
  });
  return values;
}

/** What a list offers, whatever is chosen. */
interface Whole {
  readonly highestPrice: number;
  readonly offered: readonly { readonly facet: string; readonly ids: readonly number[] }[];
}

function lookOver(layers: FacetLayers, numbers: Uint32Array, known: FacetScan | undefined): Whole {
  const scan = known ?? new FacetScan(layers, noChoice);
  if (known === undefined) scan.run(numbers);
  const { counts } = scan;
  const offered = layers.facets().map((facet) => {
    let ids: number[] = [];
    let products = 0;
    layers.eachOf(facet, (id) => {
      if (counts[id] === 0) return;
      ids.push(id);
      products += counts[id] as number;
    });
    ids.sort((one, other) => (counts[other] as number) - (counts[one] as number) || one - other);
    ids = ids.slice(0, MAX_OFFERED);
    return { facet, ids, products };
  });
  const options = offered
    .filter(({ facet, ids }) => isOptionFacet(facet) && ids.length > 0)
    .sort((one, other) => other.products - one.products)
    .slice(0, MAX_OPTIONS);
  const of = (facet: string) => offered.filter((one) => one.facet === facet && one.ids.length > 0);
  const metafields = offered.filter(({ facet, ids }) => isMetafieldFacet(facet) && ids.length > 0);
  return {
    highestPrice: scan.highestPrice,
    offered: [
      ...of(facetParams.productType),
      ...of(facetParams.vendor),
      ...options,
      ...of(facetParams.tag),
      ...metafields,
    ],
  };
}
