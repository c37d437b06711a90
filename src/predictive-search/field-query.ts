import { facetParams } from "../catalog/facets/filter-selection.ts";
import { getOrCreate } from "../runtime/cache.ts";
import type { SearchContext } from "./search-context.ts";

/**
 * A search by fields in the syntax of themes, such as `id:1 OR id:3` or `tag:"new in" -vendor:Acme rain`. A product
 * matches if it matches all terms of one list. An empty list matches all products.
 */
export type FieldQuery = readonly (readonly Term[])[];

/** A value of a field, or words to search in all fields. */
interface Term {
  /** Field to search; undefined for plain words. */
  readonly field?: Field;
  readonly value: string;
  readonly isNegated: boolean;
}

const facetByField = {
  tag: facetParams.tag,
  vendor: facetParams.vendor,
  product_type: facetParams.productType,
} as const;
/** Fields that are searched by words, named as in `resources[options][fields]`. */
const textFields = ["title", "body", "variants.title", "variants.sku", "variants.barcode"] as const;
type Field = "id" | "handle" | keyof typeof facetByField | (typeof textFields)[number];

const fieldsByName: ReadonlyMap<string, Field> = new Map<string, Field>([
  ...(["id", "handle", "tag", "vendor", "product_type", ...textFields] as const).map((name) => [name, name] as const),
  ["type", "product_type"],
  ["sku", "variants.sku"],
  ["barcode", "variants.barcode"],
]);

/** Maximum number of terms. A longer query is searched as plain words. */
const MAX_TERMS = 100;
/** Maximum number of terms that are words or prefixes, since each of them requires a search. */
const MAX_SEARCHES = 10;

/**
 * Parses a search that names a field. `AND` is implicit and binds tighter than `OR`. A `-` or `NOT` negates a term; a
 * value may be quoted, or end with `*`.
 * @returns undefined for plain words, in which `OR` and `-` have no meaning
 */
export function parseFieldQuery(text: string): FieldQuery | undefined {
  if (isMatchAllQuery(text)) return [[]];
  if (!text.includes(":")) return undefined;
  const termLists: Term[][] = [[]];
  let isNegated = false;
  let hasFieldTerm = false;
  for (const [, negationSign, name, doubleQuotedValue, singleQuotedValue, unquotedValue] of text.matchAll(
    tokenPattern,
  )) {
    const field = fieldsByName.get(name?.toLowerCase() ?? "");
    const value = doubleQuotedValue ?? singleQuotedValue ?? unquotedValue ?? "";
    if (
      name === undefined &&
      negationSign === undefined &&
      unquotedValue !== undefined &&
      operatorWords.has(unquotedValue)
    ) {
      if (unquotedValue === "OR") termLists.push([]);
      isNegated = unquotedValue === "NOT";
      continue;
    }
    hasFieldTerm ||= field !== undefined;
    // If the text before a colon is not a field name, as in "6:30", the whole text is searched as plain words.
    const words = name === undefined ? value : `${name}:${value}`;
    const term = {
      ...(field === undefined ? { value: words } : { field, value }),
      isNegated: isNegated || negationSign !== undefined,
    };
    termLists.at(-1)?.push(term);
    isNegated = false;
  }
  const terms = termLists.flat();
  const searchTerms = terms.filter(
    (term) => term.field === undefined || isTextField(term.field) || isPrefix(term),
  ).length;
  if (!hasFieldTerm || terms.length > MAX_TERMS || searchTerms > MAX_SEARCHES) return undefined;
  return termLists.map(addJoinedWords).filter((list) => list.length > 0);
}

/** Returns whether a search is `*`, which finds all products. */
export function isMatchAllQuery(text: string): boolean {
  return text.trim() === "*";
}

/** Matches an optional sign, an optional field name, and a value with or without quotes. */
const tokenPattern = /(?<!\S)(-)?(?:([\w.]+):)?(?:"([^"]*)"|'([^']*)'|(\S+))/g;
const operatorWords: ReadonlySet<string> = new Set(["AND", "OR", "NOT"]);

/** Joins all plain words of a list into one term, so that they need only one search. */
function addJoinedWords(list: readonly Term[]): readonly Term[] {
  const isPlainWord = ({ field, isNegated }: Term): boolean => field === undefined && !isNegated;
  const value = list
    .filter(isPlainWord)
    .map((term) => term.value)
    .join(" ");
  const fieldTerms = list.filter((term) => !isPlainWord(term));
  return value === "" ? fieldTerms : [{ value, isNegated: false }, ...fieldTerms];
}

/**
 * Returns the document numbers of the matching products. The products of the first list of terms come first. Within a
 * list, products are in the order in which its first term finds them.
 * @param search finds the products that contain all words in a field, or in any field, best first
 */
export function findFieldMatches(
  query: FieldQuery,
  { catalog }: Pick<SearchContext, "catalog">,
  search: (text: string, field: string | undefined) => Uint32Array,
): Uint32Array {
  const valuesByFacet = new Map<string, ReadonlyMap<string, readonly string[]>>();
  /** Returns the values of a facet, such as all vendors, by their text in lower case. */
  const getFacetValues = (facet: string): ReadonlyMap<string, readonly string[]> => {
    const valuesByLowerCase = getOrCreate(valuesByFacet, facet, () =>
      Map.groupBy(
        catalog
          .facets()
          .values(facet)
          .map(({ value }) => value),
        (value) => value.toLowerCase(),
      ),
    );
    return valuesByLowerCase;
  };
  const findTermNumbers = ({ field, value }: Term): Iterable<number> => {
    if (field === undefined || isTextField(field)) return search(value.replace(/\*$/, ""), field);
    if (field === "id" || field === "handle") {
      const product = field === "id" ? catalog.productById(value) : catalog.product(value);
      const number = product && catalog.productNumber(product.handle);
      return number === undefined ? [] : [number];
    }
    const values = getFacetValues(facetByField[field]);
    const lowerCaseValue = value.toLowerCase();
    const findValues = (isMatch: (lowerCaseText: string) => boolean): readonly string[] =>
      [...values].flatMap(([text, spellings]) => (isMatch(text) ? spellings : []));
    const matchingValues = isPrefix({ value })
      ? findValues((text) => text.startsWith(lowerCaseValue.slice(0, -1)))
      : (values.get(lowerCaseValue) ??
        (field === "tag" ? [] : findValues((text) => text.split(/\s+/).includes(lowerCaseValue))));
    return catalog.facets().findProductsWithValue(facetByField[field], new Set(matchingValues));
  };
  const matchingNumbers = new Set<number>();
  for (const list of query) {
    const [firstNumbers, ...otherNumbers] = list.filter(({ isNegated }) => !isNegated).map(findTermNumbers);
    const otherTermSets = otherNumbers.map((numbers) => new Set(numbers));
    const excludedNumbers = list.filter(({ isNegated }) => isNegated).map((term) => new Set(findTermNumbers(term)));
    for (const number of firstNumbers ?? catalog.numbers("product"))
      if (
        otherTermSets.every((termNumbers) => termNumbers.has(number)) &&
        !excludedNumbers.some((termNumbers) => termNumbers.has(number))
      )
        matchingNumbers.add(number);
  }
  return Uint32Array.from(matchingNumbers);
}

function isTextField(field: Field): field is (typeof textFields)[number] {
  return (textFields as readonly string[]).includes(field);
}

function isPrefix({ value }: Pick<Term, "value">): boolean {
  return value.endsWith("*");
}
