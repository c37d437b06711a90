import { memoizePerObject } from "../../runtime/cache.ts";
import type { FacetLayer, FacetLayers } from "./facet-layers.ts";
import type { FilterExpression, NumberRange } from "./filter-expression.ts";
import { facetParams } from "./filter-selection.ts";

/** Tests a product by its row position in a layer of the catalog. */
type ProductTest = (layer: FacetLayer, position: number) => boolean;

/** Returns the products of a list that match an expression, in the order of the list. */
export function findMatches(layers: FacetLayers, numbers: Uint32Array, expression: FilterExpression): Uint32Array {
  const matches = createTest(layers, expression);
  return numbers.filter((number) => {
    const location = layers.locate(number);
    return location !== undefined && matches(location.layer, location.position);
  });
}

function createTest(layers: FacetLayers, expression: FilterExpression): ProductTest {
  switch (expression.kind) {
    case "and":
    case "or": {
      const tests = expression.parts.map((part) => createTest(layers, part));
      return expression.kind === "and"
        ? (layer, position) => tests.every((matches) => matches(layer, position))
        : (layer, position) => tests.some((matches) => matches(layer, position));
    }
    case "not": {
      const matches = createTest(layers, expression.part);
      return (layer, position) => !matches(layer, position);
    }
    case "stock":
      return ({ availability }, position) => (availability.products[position] === 1) === expression.isInStock;
    case "value":
      return createTermTest(layers, getTermIds(layers)(expression.facet).get(fold(expression.value)) ?? []);
    case "number":
      if (expression.facet === facetParams.price) return createPriceTest(expression);
      return createTermTest(
        layers,
        [...getTermIds(layers)(expression.facet)].flatMap(([value, ids]) =>
          value.trim() !== "" && !Number.isNaN(Number(value)) && isInRange(Number(value), expression) ? ids : [],
        ),
      );
  }
}

function createPriceTest(range: NumberRange): ProductTest {
  return ({ rows: { variantStarts, prices } }, position) => {
    const end = variantStarts[position + 1] as number;
    for (let index = variantStarts[position] as number; index < end; index += 1)
      if (isInRange(prices[index] as number, range)) return true;
    return false;
  };
}

function isInRange(value: number, { from, to, isFromOpen = false, isToOpen = false }: NumberRange): boolean {
  const isAboveStart = from === undefined || value > from || (value === from && !isFromOpen);
  return isAboveStart && (to === undefined || value < to || (value === to && !isToOpen));
}

function createTermTest({ baseTerms }: FacetLayers, ids: readonly number[]): ProductTest {
  if (ids.length === 0) return () => false;
  const wantedIds = new Set(ids);
  return ({ rows: { termStarts, terms }, layerIds }, position) => {
    const end = termStarts[position + 1] as number;
    for (let index = termStarts[position] as number; index < end; index += 1) {
      const id = terms[index] as number;
      if (wantedIds.has(id < baseTerms ? id : (layerIds[id - baseTerms] as number))) return true;
    }
    return false;
  };
}

/** Returns a function that lists the values of a facet in lower case, with the ids of the values. */
const getTermIds = memoizePerObject((layers: FacetLayers) => {
  const idsByFacet = new Map<string, ReadonlyMap<string, readonly number[]>>();
  return (facet: string): ReadonlyMap<string, readonly number[]> => {
    const cachedIds = idsByFacet.get(facet);
    if (cachedIds !== undefined) return cachedIds;
    const idsByValue = new Map<string, number[]>();
    layers.forEachTerm(facet, (id) => {
      const value = fold(layers.getTerm(id).value);
      const ids = idsByValue.get(value);
      if (ids === undefined) idsByValue.set(value, [id]);
      else ids.push(id);
    });
    // An unknown facet is not cached, so that requests cannot fill the memory with their names.
    if (idsByValue.size > 0) idsByFacet.set(facet, idsByValue);
    return idsByValue;
  };
});

function fold(value: string): string {
  return value.toLowerCase();
}
