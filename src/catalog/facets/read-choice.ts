import { parseMoney } from "../../pricing/money.ts";
import type { FacetChoice } from "./facet-choice.ts";
import { facetParams, facetSubject, metafieldFacet, optionFacet } from "./facet-params.ts";
import type { SortKey } from "./facets.ts";

/** Values of one parameter that count, and facets that are chosen from; what else a query names is left out. */
const MAX_VALUES = 100;
const MAX_FACETS = 24;

/** Reads a page's query leniently: a price that is no amount of the currency ("abc", "", "1.999") is left out, and so is what is no facet. */
export function readChoice(query: URLSearchParams, currency: string): FacetChoice {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of query) {
    const facet = facetNamed(name);
    if (facet === undefined || value === "") continue;
    const known = values.get(facet);
    if (known === undefined) {
      if (values.size < MAX_FACETS) values.set(facet, new Set([value]));
    } else if (known.size < MAX_VALUES) known.add(value);
  }
  const price = (name: string): number | undefined => parseMoney(query.get(name) ?? "", currency);
  const availability = new Set(
    query.getAll(facetParams.availability).filter((value) => value === "1" || value === "0"),
  );
  return {
    values,
    availability,
    priceFrom: price(facetParams.priceFrom),
    priceTo: price(facetParams.priceTo),
  };
}

/** The order that a query asks for; undefined where it asks for none that is known. */
export function readSortKey(order: string | null): SortKey | undefined {
  return sortKeys.find((key) => key === order);
}

const sortKeys: readonly SortKey[] = [
  "best-selling",
  "title-ascending",
  "title-descending",
  "price-ascending",
  "price-descending",
  "created-ascending",
  "created-descending",
];

/** The facet that a parameter chooses from; options are named in whatever case. */
function facetNamed(param: string): string | undefined {
  const { productType, vendor, tag } = facetParams;
  if (param === productType || param === vendor || param === tag) return param;
  const subject = facetSubject(param);
  if (subject === undefined) return undefined;
  return subject.kind === "option" ? optionFacet(subject.name) : metafieldFacet(subject.name);
}
