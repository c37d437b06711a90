import { getOrCreate, memoizePerObject } from "../../runtime/cache.ts";
import { lowerBound } from "../../runtime/lower-bound.ts";
import { type Bitmap, createBitmap, setBit } from "./bitmap.ts";
import type { FacetLayers, ProductLocation } from "./facet-layers.ts";
import type { FilterCondition, FilterExpression, NumberRange } from "./filter-expression.ts";
import { facetParams } from "./filter-selection.ts";

/** Adds the conditions that some of a product's values meet to a set of condition numbers. */
type ConditionTest = (location: ProductLocation, metConditions: Bitmap) => void;

/**
 * Returns the products of a list that match an expression, in the order of the list. Each value of a product is read
 * at most once, however many conditions the expression has, because requests choose the expression.
 */
export function findMatches(layers: FacetLayers, numbers: Uint32Array, expression: FilterExpression): Uint32Array {
  const conditions = [...new Set(listConditions(expression))];
  const rootGroup = createGroup(true, conditions.length);
  addToGroup(rootGroup, expression, false, new Map(conditions.map((condition, index) => [condition, index])));
  const tests = createTests(layers, conditions);
  const metConditions = createBitmap(conditions.length);
  return numbers.filter((number) => {
    const location = layers.locate(number);
    if (location === undefined) return false;
    metConditions.fill(0);
    for (const test of tests) test(location, metConditions);
    return isMet(rootGroup, metConditions);
  });
}

function listConditions(expression: FilterExpression): readonly FilterCondition[] {
  if (expression.kind === "and" || expression.kind === "or") return expression.parts.flatMap(listConditions);
  return expression.kind === "not" ? listConditions(expression.part) : [expression as FilterCondition];
}

/** Conditions and other groups, combined by one operator. Only conditions are negated. */
interface Group {
  readonly isAnd: boolean;
  readonly conditions: Bitmap;
  readonly negatedConditions: Bitmap;
  readonly groups: Group[];
}

function createGroup(isAnd: boolean, conditionCount: number): Group {
  return {
    isAnd,
    conditions: createBitmap(conditionCount),
    negatedConditions: createBitmap(conditionCount),
    groups: [],
  };
}

function addToGroup(
  group: Group,
  expression: FilterExpression,
  isNegated: boolean,
  indices: ReadonlyMap<FilterExpression, number>,
): void {
  if (expression.kind === "not") addToGroup(group, expression.part, !isNegated, indices);
  else if (expression.kind === "and" || expression.kind === "or") {
    // NOT (a AND b) equals NOT a OR NOT b.
    const isAnd = (expression.kind === "and") !== isNegated;
    const target = isAnd === group.isAnd ? group : createGroup(isAnd, indices.size);
    if (target !== group) group.groups.push(target);
    for (const part of expression.parts) addToGroup(target, part, isNegated, indices);
  } else setBit(isNegated ? group.negatedConditions : group.conditions, indices.get(expression) as number);
}

function isMet({ isAnd, conditions, negatedConditions, groups }: Group, metConditions: Bitmap): boolean {
  // One part that is false decides AND, and one that is true decides OR.
  const inversion = isAnd ? -1 : 0;
  for (let word = 0; word < metConditions.length; word += 1) {
    const bits = (metConditions[word] as number) ^ inversion;
    if (((bits & (conditions[word] as number)) | (~bits & (negatedConditions[word] as number))) !== 0) return !isAnd;
  }
  return groups.some((group) => isMet(group, metConditions) !== isAnd) !== isAnd;
}

function createTests(layers: FacetLayers, conditions: readonly FilterCondition[]): readonly ConditionTest[] {
  const tests: ConditionTest[] = [];
  if (conditions.some(({ kind }) => kind === "stock")) {
    const [soldOut, inStock] = [false, true].map((isInStock) =>
      selectConditions(conditions, (condition) => condition.kind === "stock" && condition.isInStock === isInStock),
    ) as [Bitmap, Bitmap];
    tests.push(({ layer, position }, metConditions) =>
      addBits(metConditions, layer.availability.products[position] === 1 ? inStock : soldOut),
    );
  }
  const isPriceCondition = (condition: FilterCondition) => isNumberOf(condition, facetParams.price);
  if (conditions.some(isPriceCondition)) {
    const priceConditions = selectConditions(conditions, isPriceCondition);
    const findRanges = createRangeLookup(conditions, facetParams.price);
    tests.push(({ layer, position }, metConditions) => {
      const { variantStarts, prices } = layer.rows;
      const end = variantStarts[position + 1] as number;
      for (let index = variantStarts[position] as number; index < end; index += 1)
        if (addBits(metConditions, findRanges(prices[index] as number)) && includesAll(metConditions, priceConditions))
          return;
    });
  }
  const conditionsByTerm = findTermConditions(layers, conditions);
  if (conditionsByTerm.size > 0) {
    const termConditions = selectConditions(
      conditions,
      (condition) => condition.kind !== "stock" && !isPriceCondition(condition),
    );
    tests.push(({ layer, position }, metConditions) => {
      const { termStarts, terms } = layer.rows;
      const end = termStarts[position + 1] as number;
      for (let index = termStarts[position] as number; index < end; index += 1) {
        const id = terms[index] as number;
        const bits = conditionsByTerm.get(
          id < layers.baseTerms ? id : (layer.layerIds[id - layers.baseTerms] as number),
        );
        if (bits !== undefined && addBits(metConditions, bits) && includesAll(metConditions, termConditions)) return;
      }
    });
  }
  return tests;
}

/** Returns the conditions that each facet value meets, by id of the value. */
function findTermConditions(layers: FacetLayers, conditions: readonly FilterCondition[]): ReadonlyMap<number, Bitmap> {
  const conditionsByTerm = new Map<number, Bitmap>();
  const numberFacets = conditions.flatMap((condition) => (condition.kind === "number" ? [condition.facet] : []));
  for (const facet of new Set(numberFacets)) {
    if (facet === facetParams.price) continue;
    const findRanges = createRangeLookup(conditions, facet);
    for (const [value, ids] of getTermIds(layers)(facet)) {
      if (value.trim() === "" || Number.isNaN(Number(value))) continue;
      for (const id of ids) conditionsByTerm.set(id, findRanges(Number(value)));
    }
  }
  for (const [index, condition] of conditions.entries()) {
    if (condition.kind !== "value") continue;
    for (const id of getTermIds(layers)(condition.facet).get(fold(condition.value)) ?? []) {
      // Copied, because the values in a range share a bitmap.
      const bitmap = (conditionsByTerm.get(id) ?? createBitmap(conditions.length)).slice();
      setBit(bitmap, index);
      conditionsByTerm.set(id, bitmap);
    }
  }
  return conditionsByTerm;
}

/** Returns a function that finds the conditions on a facet whose ranges contain a number. */
function createRangeLookup(conditions: readonly FilterCondition[], facet: string): (value: number) => Bitmap {
  const limits = Float64Array.from(
    new Set(
      conditions.flatMap((condition) =>
        isNumberOf(condition, facet) ? [condition.from, condition.to].filter((limit) => limit !== undefined) : [],
      ),
    ),
  ).sort();
  // The numbers between two limits are in the same ranges, so that one of them is tested for all.
  const samples = [
    Number.NEGATIVE_INFINITY,
    ...[...limits].flatMap((limit, index) => [limit, (limit + (limits[index + 1] ?? Number.POSITIVE_INFINITY)) / 2]),
  ];
  const bitmaps = samples.map((sample) =>
    selectConditions(conditions, (condition) => isNumberOf(condition, facet) && isInRange(sample, condition)),
  );
  return (value) => {
    const index = lowerBound(0, limits.length, (limit) => (limits[limit] as number) < value);
    return bitmaps[limits[index] === value ? index * 2 + 1 : index * 2] as Bitmap;
  };
}

function isNumberOf(condition: FilterCondition, facet: string): condition is FilterCondition & NumberRange {
  return condition.kind === "number" && condition.facet === facet;
}

function isInRange(value: number, { from, to, isFromOpen = false, isToOpen = false }: NumberRange): boolean {
  const isAboveStart = from === undefined || value > from || (value === from && !isFromOpen);
  return isAboveStart && (to === undefined || value < to || (value === to && !isToOpen));
}

function selectConditions(
  conditions: readonly FilterCondition[],
  isSelected: (condition: FilterCondition) => boolean,
): Bitmap {
  const bitmap = createBitmap(conditions.length);
  for (const [index, condition] of conditions.entries()) if (isSelected(condition)) setBit(bitmap, index);
  return bitmap;
}

/** Returns whether some of the bits were missing. */
function addBits(bitmap: Bitmap, addedBits: Bitmap): boolean {
  let missingBits = 0;
  for (let word = 0; word < bitmap.length; word += 1) {
    const bits = bitmap[word] as number;
    missingBits |= (addedBits[word] as number) & ~bits;
    bitmap[word] = bits | (addedBits[word] as number);
  }
  return missingBits !== 0;
}

function includesAll(bitmap: Bitmap, subset: Bitmap): boolean {
  for (let word = 0; word < bitmap.length; word += 1)
    if (((subset[word] as number) & ~(bitmap[word] as number)) !== 0) return false;
  return true;
}

/** Returns a function that lists the values of a facet in lower case, with the ids of the values. */
const getTermIds = memoizePerObject((layers: FacetLayers) => {
  const idsByFacet = new Map<string, ReadonlyMap<string, readonly number[]>>();
  return (facet: string): ReadonlyMap<string, readonly number[]> => {
    const cachedIds = idsByFacet.get(facet);
    if (cachedIds !== undefined) return cachedIds;
    const idsByValue = new Map<string, number[]>();
    layers.forEachTerm(facet, (id) => {
      getOrCreate(idsByValue, fold(layers.getTerm(id).value), () => []).push(id);
    });
    // An unknown facet is not cached, so that requests cannot fill the memory with their names.
    if (idsByValue.size > 0) idsByFacet.set(facet, idsByValue);
    return idsByValue;
  };
});

function fold(value: string): string {
  return value.toLowerCase();
}
