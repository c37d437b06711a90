import type { Catalog } from "../../../catalog/catalog.ts";
import { isProductAvailable } from "../../../catalog/stock.ts";
import type { FilterFacts } from "./filter-choice.ts";

/** Longer collections are not filtered: every product would have to be read before the first is shown. */
const maxFiltered = 5_000;
/** Lists kept for one catalogue; the oldest goes. */
const maxKept = 20;

/** What the products of a list are filtered and sorted by, in the list's order; undefined where the list is too long.
 *  @param key names the list within the catalogue */
export function filterFacts(
  catalog: Catalog,
  key: string,
  numbers: Uint32Array,
): ReadonlyMap<number, FilterFacts> | undefined {
  if (numbers.length > maxFiltered) return undefined;
  let lists = kept.get(catalog);
  if (lists === undefined) {
    lists = new Map();
    kept.set(catalog, lists);
  }
  catalog.stock.noteAll();
  const epoch = catalog.stock.epoch();
  const known = lists.get(key);
  if (known !== undefined) return upToDate(catalog, known, epoch);
  const facts = new Map<number, FilterFacts>();
  for (const number of numbers) {
    const product = catalog.entry(number);
    if (product?.kind !== "product") continue;
    const { vendor, productType, variants, popularity } = product;
    const prices = variants.map(({ price }) => price);
    facts.set(number, { vendor, productType, isAvailable: isProductAvailable(product), prices, popularity });
  }
  const oldest = lists.size < maxKept ? undefined : lists.keys().next().value;
  if (oldest !== undefined) lists.delete(oldest);
  lists.set(key, { facts, epoch });
  return facts;
}

/** Facts of a list, as they were at an epoch of the stock. */
interface KeptFacts {
  facts: ReadonlyMap<number, FilterFacts>;
  epoch: number;
}

/** The same facts, or others where a product was sold out or came in meanwhile. */
function upToDate(catalog: Catalog, list: KeptFacts, epoch: number): ReadonlyMap<number, FilterFacts> {
  if (list.epoch === epoch) return list.facts;
  let changed: Map<number, FilterFacts> | undefined;
  for (const [number, one] of list.facts) {
    const isAvailable = catalog.availableNow(number) ?? one.isAvailable;
    if (isAvailable === one.isAvailable) continue;
    changed ??= new Map(list.facts);
    changed.set(number, { ...one, isAvailable });
  }
  list.facts = changed ?? list.facts;
  list.epoch = epoch;
  return list.facts;
}

const kept = new WeakMap<Catalog, Map<string, KeptFacts>>();
