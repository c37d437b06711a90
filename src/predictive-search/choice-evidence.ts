import { phraseKey } from "@vitrine/search";
import { localize } from "../catalog/localize.ts";
import { documentTypes } from "./documents.ts";
import { numberOfProduct } from "./learned-products.ts";
import { searchQuery } from "./predictive-search.ts";
import { withPins } from "./rules/pinned-hits.ts";
import type { SearchContext } from "./search-context.ts";
import type { MadeSearch } from "./search-trails.ts";

/** A product that a shopper opened, or put into the cart, after a search. */
export interface Choice {
  /** What was meant. */
  readonly term: string;
  readonly locale: string;
  /** The product's id. */
  readonly product: string;
  readonly step: "opened" | "added";
  /** In units of a product in the first place that is opened. */
  readonly weight: number;
}

/** A product that was opened after a search, or put into the cart, with what that says: the inverse of how likely a shopper looks at the place where it stood, so
 *  that what stands first is not learned to be best because it stands first (inverse propensity weighting: Joachims, Swaminathan and Schnabel, "Unbiased
 *  Learning-to-Rank with Biased Feedback", WSDM 2017). @returns undefined where the search does not show the product */
export function choiceAfter(
  search: MadeSearch,
  product: string,
  step: "opened" | "added",
  at: Omit<SearchContext, "locale">,
): Choice | undefined {
  const { locale, source, q } = search;
  const place = placeOf(search, product, { ...at, locale });
  const found = at.catalog.productById(product);
  if (place === undefined || found === undefined) return undefined;
  const term = source === "page" ? q : meantWith(q, localize(found, locale).title);
  const weight = inversePropensity(place) * (step === "added" ? addedWeight : 1);
  return { term, locale, product, step, weight };
}

/** One over the part of shoppers who look at a place: the discount of DCG, which falls slower than most measured ones, so that too little is made up
 *  for rather than too much. Clipped, as a few choices far down would else outweigh all others. @param place from 1 */
export function inversePropensity(place: number): number {
  return Math.min(Math.log2(1 + place), maxInversePropensity);
}

/** Reached at the 15th place. */
const maxInversePropensity = 4;
/** A product that is put into the cart counts so many times as much again: who takes it has seen more of it than who opens it. */
const addedWeight = 3;
/** Places that are looked at: a page of results or two, and the longest list of suggestions. */
const lastPlace = { page: 48, suggestions: 10 } as const;

/** The place of a product among those that a search shows, from 1. */
function placeOf({ q, source }: MadeSearch, product: string, at: SearchContext): number | undefined {
  const number = numberOfProduct(product, at.catalog);
  if (number === undefined) return undefined;
  const asked = { q, types: ["product"], limit: lastPlace[source], unavailableProducts: "last" } as const;
  const found = withPins(at.index.search(searchQuery(asked, at)), asked, at).get(documentTypes.product) ?? [];
  const place = found.slice(0, lastPlace[source]).findIndex(({ externalId }) => externalId === number);
  return place < 0 ? undefined : place + 1;
}

/** What was typed with its last word as the title that was chosen has it whole: shoppers choose from suggestions after any letter, and what they meant
 *  is one query all the same. */
function meantWith(q: string, title: string): string {
  const words = phraseKey(q).split(" ");
  const last = words.pop() ?? "";
  const whole = phraseKey(title)
    .split(" ")
    .find((word) => word.startsWith(last));
  return [...words, whole ?? last].join(" ");
}
