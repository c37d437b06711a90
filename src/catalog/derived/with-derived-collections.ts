import type { Catalog } from "../catalog.ts";
import { matchesRules } from "../collection-rules.ts";
import type { DerivedCollection } from "./derive-collections.ts";

/** Document numbers from here on are those of derived collections: no row of a catalogue has one of them. */
export const FIRST_DERIVED = 0xffff_0000;

/** The catalogue with collections that it suggests itself, in addition to what it has. Which products they hold is found out when it is asked.
 *  @param derived the same list for as long as nothing in it changes: what is known of its rows is kept by it */
export function withDerivedCollections(catalog: Catalog, derived: readonly DerivedCollection[]): Catalog {
  if (derived.length === 0) return catalog;
  const byHandle = new Map(derived.map((one) => [one.collection.handle, one]));
  const numbers = Uint32Array.from(derived, (_, index) => FIRST_DERIVED + index);
  const members = new Map<string, Uint32Array>();
  const membersOf = ({ collection: { handle }, of }: DerivedCollection): Uint32Array => {
    const products = catalog.numbers("product");
    if (of === undefined) return products;
    const known = members.get(handle);
    if (known !== undefined) return known;
    const found = catalog.facets().holding(of.facet, of.values);
    members.set(handle, found);
    return found;
  };
  const at = (number: number): DerivedCollection | undefined =>
    number < FIRST_DERIVED ? undefined : derived[number - FIRST_DERIVED];
  return {
    ...catalog,
    entry: (number) => at(number)?.collection ?? catalog.entry(number),
    placeOf: (number) =>
      at(number) === undefined ? catalog.placeOf(number) : { rows: derived, place: number - FIRST_DERIVED },
    collection: (handle) => byHandle.get(handle)?.collection ?? catalog.collection(handle),
    numbers: (kind) => (kind === "collection" ? numbers : catalog.numbers(kind)),
    collectionProducts(handle) {
      const found = byHandle.get(handle);
      return found === undefined ? catalog.collectionProducts(handle) : membersOf(found);
    },
    collectionsOf(productHandle) {
      const product = catalog.product(productHandle);
      if (product === undefined) return [];
      const isIn = ({ collection: { rules }, of }: DerivedCollection): boolean =>
        of === undefined || (rules !== undefined && matchesRules(rules, product));
      // What says most of it comes first.
      const [all, ...others] = derived.filter(isIn);
      return [...others, ...(all === undefined ? [] : [all])].map(({ collection }) => collection.handle);
    },
  };
}
