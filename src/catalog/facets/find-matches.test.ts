import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { Product } from "../product.ts";
import { isAvailable } from "../stock.ts";
import type { FilterExpression } from "./filter-expression.ts";
import { emptySelection, facetParams, formatOptionFacet } from "./filter-selection.ts";
import { findMatches } from "./find-matches.ts";
import { parseFilterExpression } from "./parse-expression.ts";
import { layersArbitrary, openLayers } from "./random-layers.fixture.ts";

const rounds = Number(process.env.VITRINE_ROUNDS ?? 60);
const facet = fc.constantFrom(
  facetParams.vendor,
  facetParams.tag,
  formatOptionFacet("Size"),
  "filter.p.m.care.wash",
  "filter.p.m.no.such",
);
const range = fc.record(
  {
    facet: fc.constantFrom(facetParams.price, facetParams.tag, facetParams.vendor),
    from: fc.nat(20),
    to: fc.nat(25),
    isFromOpen: fc.boolean(),
    isToOpen: fc.boolean(),
  },
  { requiredKeys: ["facet"] },
);
const conditions: fc.Arbitrary<FilterExpression> = fc.oneof(
  fc.record({
    kind: fc.constant("value" as const),
    facet,
    value: fc.constantFrom("a", "A", "b", "c", "7", "S", "m", "nobody"),
  }),
  range.map((fields) => ({ kind: "number" as const, ...fields })),
  fc.record({ kind: fc.constant("stock" as const), isInStock: fc.boolean() }),
);
const unmetConditions = Array.from({ length: 33 }, (_, index) => ({
  kind: "value" as const,
  facet: facetParams.tag,
  value: `none ${index}`,
}));
const { expression: expressions } = fc.letrec<{ expression: FilterExpression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    conditions,
    tie("expression").map((part) => ({ kind: "not" as const, part })),
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      parts: fc.array(tie("expression"), { minLength: 1, maxLength: 3 }),
    }),
    tie("expression").map((part) => ({ kind: "or" as const, parts: [...unmetConditions, part] })),
  ),
}));

test("the products that match an expression, and their facets, equal a test of each product, over any layers", () => {
  fc.assert(
    fc.property(layersArbitrary, expressions, (layers, expression) => {
      const { catalog, products } = openLayers(layers);
      const facets = catalog.facets();
      const list = { key: "all", numbers: () => catalog.numbers("product") };
      const result = facets.filter(list, { ...emptySelection, expression });
      const matches = products.filter((product) => isMatch(product, expression));
      assert.deepEqual(
        [...result.list.numbers()].map((number) => (catalog.entry(number) as Product).handle),
        matches.map(({ handle }) => handle),
      );
      const numbers = Uint32Array.from(matches, ({ handle }) => catalog.productNumber(handle) as number);
      const expected = facets.filter({ key: "matches", numbers: () => numbers }, emptySelection);
      const { list: _, ...counts } = result;
      const { list: __, ...expectedCounts } = expected;
      assert.deepEqual(counts, expectedCounts);
    }),
    { numRuns: rounds },
  );
});

test("a hundred conditions read the values of a product once", () => {
  let reads = 0;
  const values = new Proxy(
    Uint32Array.from({ length: 50 }, (_, index) => index),
    {
      get: (target, key) => {
        reads += 1;
        return Reflect.get(target, key, target);
      },
    },
  );
  const starts = Uint32Array.of(0, values.length);
  const layer = { rows: { termStarts: starts, terms: values, variantStarts: starts, prices: values } };
  const layers = {
    baseTerms: 50,
    locate: () => ({ layer, position: 0 }),
    forEachTerm: (_: string, visit: (id: number) => void) => {
      for (let id = 0; id < 50; id += 1) visit(id);
    },
    getTerm: (id: number) => ({ value: String(id) }),
  };
  for (const condition of ["price > 48", "tag > 48", "tag:49"]) {
    reads = 0;
    const expression = parseFilterExpression(Array.from({ length: 100 }, () => condition).join(" AND "), 0);
    assert.deepEqual([...findMatches(layers as never, Uint32Array.of(0), expression)], [0]);
    assert.equal(reads, 50, condition);
  }
});

function isMatch(product: Product, expression: FilterExpression): boolean {
  switch (expression.kind) {
    case "and":
      return expression.parts.every((part) => isMatch(product, part));
    case "or":
      return expression.parts.some((part) => isMatch(product, part));
    case "not":
      return !isMatch(product, expression.part);
    case "stock":
      return product.variants.some(isAvailable) === expression.isInStock;
    case "value":
      return listValues(product, expression.facet).some(
        (value) => value !== "" && value.toLowerCase() === expression.value.toLowerCase(),
      );
    case "number": {
      const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, isFromOpen, isToOpen } = expression;
      const values =
        expression.facet === facetParams.price
          ? product.variants.map(({ price }) => price)
          : listValues(product, expression.facet)
              .filter((value) => value !== "")
              .map(Number);
      return values.some((value) => {
        if (Number.isNaN(value)) return false;
        const isAbove = isFromOpen === true ? value > from : value >= from;
        return isAbove && (isToOpen === true ? value < to : value <= to);
      });
    }
  }
}

function listValues(product: Product, name: string): readonly string[] {
  if (name === facetParams.vendor) return [product.vendor];
  if (name === facetParams.tag) return product.tags;
  const { wash } = (product.metafields.care ?? {}) as { readonly wash?: string };
  if (name === "filter.p.m.care.wash") return wash === undefined ? [] : [wash];
  return product.options.flatMap((option, index) =>
    formatOptionFacet(option) === name ? product.variants.map(({ options }) => options[index] ?? "") : [],
  );
}
