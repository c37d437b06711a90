import assert from "node:assert/strict";
import test from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { createCurrentStock } from "../live/live-stock.ts";
import { createStockBuffers, createStockTable } from "../live/stock-table.ts";
import type { Product } from "../product.ts";
import { isAvailable } from "../stock.ts";
import { unlimitedUnits } from "./facet-rows.ts";
import type { FilteredList } from "./facets.ts";
import type { SortKey } from "./filter-selection.ts";
import { type FilterSelection, facetParams, formatOptionFacet, isOptionFacet } from "./filter-selection.ts";
import { groupKeyOf, layersArbitrary, openLayers } from "./random-layers.fixture.ts";
import { getTitle } from "./title-ranks.ts";

const rounds = Number(process.env.VITRINE_ROUNDS ?? 40);
const texts = fc.constantFrom("a", "b", "c", "S", "M", "nobody");
const selectedValues = fc.uniqueArray(texts, { minLength: 1, maxLength: 2 }).map((values) => new Set(values));
const facetNames = fc.constantFrom(
  facetParams.vendor,
  facetParams.productType,
  facetParams.tag,
  formatOptionFacet("Size"),
  formatOptionFacet("colour"),
  "filter.p.m.care.wash",
);
const selections: fc.Arbitrary<FilterSelection> = fc.record({
  values: fc
    .uniqueArray(fc.tuple(facetNames, selectedValues), { maxLength: 3, selector: ([name]) => name })
    .map((entries) => new Map(entries)),
  availability: fc.constantFrom(new Set<string>(), new Set(["1"]), new Set(["0"]), new Set(["0", "1"])),
  priceFrom: fc.option(fc.nat(20), { nil: undefined }),
  priceTo: fc.option(fc.nat(20), { nil: undefined }),
});

test("results of a filter selection and counts of values equal a scan of all products, over any layers", () => {
  fc.assert(
    fc.property(layersArbitrary, selections, (layers, selection) => {
      const { catalog, products } = openLayers(layers);
      const list = { key: "all", numbers: () => catalog.numbers("product") };
      const result = catalog.facets().filter(list, selection);
      assert.deepEqual(resultOf(result), slowResultOf(products, selection));
      assert.deepEqual(
        handles(catalog, result.list.numbers()),
        products.filter((product) => matchesSelection(product, selection)).map(({ handle }) => handle),
      );
      assert.equal(
        result.highestPrice,
        Math.max(0, ...products.flatMap(({ variants }) => variants.map(({ price }) => price))),
      );
    }),
    { numRuns: rounds },
  );
});

test("numbers of products per value, and the products, equal a scan of all products, over any layers", () => {
  fc.assert(
    fc.property(layersArbitrary, facetNames, selectedValues, (layers, facet, values) => {
      const { catalog, products, olderCatalogs } = openLayers(layers);
      let previousValues: unknown;
      for (const revision of [...olderCatalogs, catalog, ...olderCatalogs]) {
        const list = { key: "all", numbers: () => revision.numbers("product") };
        const currentValues = revision.facets().values(facet);
        assert.deepEqual(currentValues, revision.facets().valuesOf(list, facet));
        if (isDeepStrictEqual(currentValues, previousValues)) assert.equal(currentValues, previousValues);
        previousValues = currentValues;
      }
      const selection = { values: new Map([[facet, values]]), availability: new Set<string>() };
      if (isOptionFacet(facet)) return;
      assert.deepEqual(
        handles(catalog, catalog.facets().findProductsWithValue(facet, values)),
        products.filter((product) => matchesSelection(product, selection)).map(({ handle }) => handle),
      );
    }),
    { numRuns: rounds },
  );
});

test("groups of products equal a scan of all products, over any layers", () => {
  fc.assert(
    fc.property(layersArbitrary, (layers) => {
      const { catalog, products } = openLayers(layers);
      const facets = catalog.facets();
      for (const product of products) {
        const key = facets.groupOf(catalog.productNumber(product.handle) as number);
        assert.equal(key, groupKeyOf(product));
        if (key === 0) continue;
        assert.deepEqual(
          handles(catalog, facets.listGroupProducts(key)),
          products.filter((other) => groupKeyOf(other) === key).map(({ handle }) => handle),
        );
      }
      assert.deepEqual(facets.listGroupProducts(1_000), []);
    }),
    { numRuns: rounds },
  );
});

test("a sale changes availability at once, in the base and in layers", () => {
  fc.assert(
    fc.property(
      layersArbitrary,
      selections,
      fc.array(fc.tuple(fc.nat(30), fc.nat(2)), { maxLength: 8 }),
      (layers, selection, stockChanges) => {
        const stock = createCurrentStock(createStockTable(createStockBuffers()));
        const { catalog } = openLayers(layers, stock);
        const list = { key: "all", numbers: () => catalog.numbers("product") };
        catalog.facets().filter(list, selection);
        stockChanges.forEach(([index, quantity], changed) => {
          const variants = products(catalog).flatMap((product) => product.variants);
          const variant = variants[index % Math.max(1, variants.length)];
          if (variant === undefined) return;
          stock.applyChanges([{ variantId: variant.id, quantity, reserved: 0, changeNumber: changed + 1 }]);
          assert.deepEqual(
            resultOf(catalog.facets().filter(list, selection)),
            slowResultOf(products(catalog), selection),
          );
        });
      },
    ),
    { numRuns: Math.ceil(rounds / 2) },
  );
});

test("ranking values equal those of the products with their current stock, over any layers", () => {
  fc.assert(
    fc.property(
      layersArbitrary,
      fc.array(fc.tuple(fc.nat(30), fc.nat(9)), { maxLength: 4 }),
      (layers, stockChanges) => {
        const stock = createCurrentStock(createStockTable(createStockBuffers()));
        const { catalog } = openLayers(layers, stock);
        const variants = products(catalog).flatMap((product) => product.variants);
        stockChanges.forEach(([index, quantity], changed) => {
          const variant = variants[index % Math.max(1, variants.length)];
          if (variant !== undefined)
            stock.applyChanges([{ variantId: variant.id, quantity, reserved: 0, changeNumber: changed + 1 }]);
        });
        const { marginOf, unitsOf, createdAt } = catalog.facets().rankingValues;
        for (const number of catalog.numbers("product")) {
          const product = catalog.entry(number) as Product;
          const known = product.variants.filter(({ cost }) => cost !== undefined);
          const price = known.reduce((sum, variant) => sum + variant.price, 0);
          const cost = known.reduce((sum, variant) => sum + (variant.cost ?? 0), 0);
          assert.equal(marginOf(number), price > cost ? Math.round(((price - cost) / price) * 100) : 0);
          const quantities = product.variants.map(({ inventoryQuantity }) => inventoryQuantity ?? unlimitedUnits);
          assert.equal(
            unitsOf(number),
            Math.min(
              unlimitedUnits,
              quantities.reduce((sum, units) => sum + units, 0),
            ),
          );
          assert.equal(createdAt(number), Date.parse(product.createdAt ?? "1970-01-01"));
        }
        assert.deepEqual([marginOf(999), unitsOf(999), createdAt(999)], [0, 0, 0]);
      },
    ),
    { numRuns: rounds },
  );
});

test("sorted lists equal sorted products, with ties in list order, over any layers and in any language", () => {
  const orders = fc.constantFrom<SortKey>(
    "best-selling",
    "title-ascending",
    "title-descending",
    "price-ascending",
    "price-descending",
    "created-ascending",
    "created-descending",
  );
  fc.assert(
    fc.property(layersArbitrary, orders, fc.constantFrom("en", "fr"), (layers, order, locale) => {
      const { catalog } = openLayers(layers);
      // Reverse the list, so that it differs from the file order.
      const unsortedNumbers = catalog.numbers("product").toReversed();
      const sortedNumbers = catalog.facets().sort({ key: "some", numbers: () => unsortedNumbers }, order, locale);
      const { compare } = new Intl.Collator(locale, { numeric: true });
      const lowestPrice = ({ variants }: Product): number => Math.min(...variants.map(({ price }) => price));
      const expected = [...handlesIn(catalog, unsortedNumbers)].sort((a, b) => {
        const [left, right] = [a, b].map((handle) => catalog.product(handle)) as [Product, Product];
        const byTitle = compare(getTitle(left, locale), getTitle(right, locale));
        const byPrice = lowestPrice(left) - lowestPrice(right);
        const signs = { "title-ascending": byTitle, "title-descending": -byTitle, "price-ascending": byPrice };
        const otherOrders = { "price-descending": -byPrice, "best-selling": right.popularity - left.popularity };
        const byDate = Date.parse(left.createdAt ?? "1970") - Date.parse(right.createdAt ?? "1970");
        return { ...signs, ...otherOrders, "created-ascending": byDate, "created-descending": -byDate }[order];
      });
      assert.deepEqual(handles(catalog, sortedNumbers), expected);
    }),
    { numRuns: rounds },
  );
});

function products(catalog: RandomCatalog): readonly Product[] {
  return [...catalog.numbers("product")].map((number) => catalog.entry(number) as Product);
}

type RandomCatalog = ReturnType<typeof openLayers>["catalog"];

function handles(catalog: RandomCatalog, numbers: Iterable<number>): readonly string[] {
  return [...handlesIn(catalog, numbers)];
}

function* handlesIn(catalog: RandomCatalog, numbers: Iterable<number>): Generator<string> {
  for (const number of numbers) yield (catalog.entry(number) as Product).handle;
}

/** Returns the facet counts without values that no product has. */
function resultOf({ facets, inStockCount, soldOutCount }: FilteredList): unknown {
  const counts = facets.flatMap(({ facet, values }) =>
    values.filter(({ count }) => count > 0).map(({ value, count }) => `${facet} ${value} ${count}`),
  );
  return { inStock: inStockCount, soldOut: soldOutCount, counts: counts.sort() };
}

function slowResultOf(products: readonly Product[], selection: FilterSelection): unknown {
  const count = (overrides: Partial<FilterSelection>): number =>
    products.filter((product) => matchesSelection(product, { ...selection, ...overrides })).length;
  const terms = new Set(products.flatMap((product) => termsOf(product).map((term) => term.join("\n"))));
  const counts = [...terms].flatMap((term) => {
    const [facet = "", value = ""] = term.split("\n");
    const result = count({ values: new Map([...selection.values, [facet, new Set([value])]]) });
    return result === 0 ? [] : [`${facet} ${value} ${result}`];
  });
  return {
    inStock: count({ availability: new Set(["1"]) }),
    soldOut: count({ availability: new Set(["0"]) }),
    counts: counts.sort(),
  };
}

function matchesSelection(
  product: Product,
  { values, availability, priceFrom = 0, priceTo = Number.POSITIVE_INFINITY }: FilterSelection,
): boolean {
  const productTerms = termsOf(product);
  for (const [facet, expected] of values)
    if (!isOptionFacet(facet) && !productTerms.some(([name, value]) => name === facet && expected.has(value)))
      return false;
  const matchingVariants = product.variants.filter(
    (variant) =>
      variant.price >= priceFrom &&
      variant.price <= priceTo &&
      [...values].every(
        ([facet, expected]) =>
          !isOptionFacet(facet) ||
          product.options.some(
            (name, index) => formatOptionFacet(name) === facet && expected.has(variant.options[index] ?? ""),
          ),
      ),
  );
  if (matchingVariants.length === 0) return false;
  return availability.size === 0 || availability.has(matchingVariants.some(isAvailable) ? "1" : "0");
}

function termsOf(product: Product): readonly (readonly [string, string])[] {
  const { wash } = (product.metafields.care ?? {}) as { readonly wash?: string };
  return [
    [facetParams.vendor, product.vendor],
    [facetParams.productType, product.productType],
    ...product.tags.map((tag) => [facetParams.tag, tag] as const),
    ...(wash === undefined ? [] : [["filter.p.m.care.wash", wash] as const]),
    ...product.options.flatMap((name, index) =>
      product.variants.map(({ options }) => [formatOptionFacet(name), options[index] ?? ""] as const),
    ),
  ].filter(([, value]) => value !== "") as (readonly [string, string])[];
}
