import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { createLiveStock } from "../live/live-stock.ts";
import { createSharedLevels, levelsMemory } from "../live/stock-table.ts";
import type { Product } from "../product.ts";
import { isAvailable } from "../stock.ts";
import type { Narrowed } from "./facets.ts";
import type { SortKey } from "./filter-selection.ts";
import { type FilterSelection, facetParams, isOptionFacet, optionFacet } from "./filter-selection.ts";
import { layered, randomLayers } from "./random-layers.fixture.ts";
import { titleIn } from "./title-ranks.ts";

const rounds = Number(process.env.VITRINE_ROUNDS ?? 80);
const texts = fc.constantFrom("a", "b", "c", "S", "M", "nobody");
const chosen = fc.uniqueArray(texts, { minLength: 1, maxLength: 2 }).map((values) => new Set(values));
const facetNames = fc.constantFrom(
  facetParams.vendor,
  facetParams.productType,
  facetParams.tag,
  optionFacet("Size"),
  optionFacet("colour"),
  "filter.p.m.care.wash",
);
const choices: fc.Arbitrary<FilterSelection> = fc.record({
  values: fc
    .uniqueArray(fc.tuple(facetNames, chosen), { maxLength: 3, selector: ([name]) => name })
    .map((all) => new Map(all)),
  availability: fc.constantFrom(new Set<string>(), new Set(["1"]), new Set(["0"]), new Set(["0", "1"])),
  priceFrom: fc.option(fc.nat(20), { nil: undefined }),
  priceTo: fc.option(fc.nat(20), { nil: undefined }),
});

test("results of a filter selection and counts of values equal a scan of all products, over any layers", () => {
  fc.assert(
    fc.property(randomLayers, choices, (layers, choice) => {
      const { catalog, products } = layered(layers);
      const list = { key: "all", numbers: () => catalog.numbers("product") };
      const found = catalog.facets().narrow(list, choice);
      assert.deepEqual(shown(found), slowly(products, choice));
      assert.deepEqual(
        handles(catalog, found.list.numbers()),
        products.filter((product) => fits(product, choice)).map(({ handle }) => handle),
      );
      assert.equal(
        found.highestPrice,
        Math.max(0, ...products.flatMap(({ variants }) => variants.map(({ price }) => price))),
      );
    }),
    { numRuns: rounds },
  );
});

test("numbers of products per value, and the products, equal a scan of all products, over any layers", () => {
  fc.assert(
    fc.property(randomLayers, facetNames, chosen, (layers, facet, values) => {
      const { catalog, products } = layered(layers);
      const list = { key: "all", numbers: () => catalog.numbers("product") };
      assert.deepEqual(catalog.facets().values(facet), catalog.facets().valuesOf(list, facet));
      const choice = { values: new Map([[facet, values]]), availability: new Set<string>() };
      if (isOptionFacet(facet)) return;
      assert.deepEqual(
        handles(catalog, catalog.facets().holding(facet, values)),
        products.filter((product) => fits(product, choice)).map(({ handle }) => handle),
      );
    }),
    { numRuns: rounds },
  );
});

test("a sale changes availability at once, in the base and in layers", () => {
  fc.assert(
    fc.property(
      randomLayers,
      choices,
      fc.array(fc.tuple(fc.nat(30), fc.nat(2)), { maxLength: 8 }),
      (layers, choice, sold) => {
        const stock = createLiveStock(createSharedLevels(levelsMemory()));
        const { catalog } = layered(layers, stock);
        const list = { key: "all", numbers: () => catalog.numbers("product") };
        catalog.facets().narrow(list, choice);
        sold.forEach(([index, quantity], changed) => {
          const variants = products(catalog).flatMap((product) => product.variants);
          const variant = variants[index % Math.max(1, variants.length)];
          if (variant === undefined) return;
          stock.take([{ variantId: variant.id, quantity, held: 0, changed: changed + 1 }]);
          assert.deepEqual(shown(catalog.facets().narrow(list, choice)), slowly(products(catalog), choice));
        });
      },
    ),
    { numRuns: Math.ceil(rounds / 2) },
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
    fc.property(randomLayers, orders, fc.constantFrom("en", "fr"), (layers, order, locale) => {
      const { catalog } = layered(layers);
      // The reversed list differs from the file order.
      const given = catalog.numbers("product").toReversed();
      const sorted = catalog.facets().sort({ key: "some", numbers: () => given }, order, locale);
      const { compare } = new Intl.Collator(locale, { numeric: true });
      const lowest = ({ variants }: Product): number => Math.min(...variants.map(({ price }) => price));
      const wanted = [...handlesIn(catalog, given)].sort((one, other) => {
        const [left, right] = [one, other].map((handle) => catalog.product(handle)) as [Product, Product];
        const byTitle = compare(titleIn(left, locale), titleIn(right, locale));
        const byPrice = lowest(left) - lowest(right);
        const signs = { "title-ascending": byTitle, "title-descending": -byTitle, "price-ascending": byPrice };
        const others = { "price-descending": -byPrice, "best-selling": right.popularity - left.popularity };
        const byDate = Date.parse(left.createdAt ?? "1970") - Date.parse(right.createdAt ?? "1970");
        return { ...signs, ...others, "created-ascending": byDate, "created-descending": -byDate }[order];
      });
      assert.deepEqual(handles(catalog, sorted), wanted);
    }),
    { numRuns: rounds },
  );
});

function products(catalog: RandomCatalog): readonly Product[] {
  return [...catalog.numbers("product")].map((number) => catalog.entry(number) as Product);
}

type RandomCatalog = ReturnType<typeof layered>["catalog"];

function handles(catalog: RandomCatalog, numbers: Uint32Array): readonly string[] {
  return [...handlesIn(catalog, numbers)];
}

function* handlesIn(catalog: RandomCatalog, numbers: Uint32Array): Generator<string> {
  for (const number of numbers) yield (catalog.entry(number) as Product).handle;
}

/** Returns the facet counts without values that no product has. */
function shown({ facets, inStock, soldOut }: Narrowed): unknown {
  const counts = facets.flatMap(({ facet, values }) =>
    values.filter(({ count }) => count > 0).map(({ value, count }) => `${facet} ${value} ${count}`),
  );
  return { inStock, soldOut, counts: counts.sort() };
}

function slowly(all: readonly Product[], choice: FilterSelection): unknown {
  const count = (more: Partial<FilterSelection>): number =>
    all.filter((product) => fits(product, { ...choice, ...more })).length;
  const terms = new Set(all.flatMap((product) => termsOf(product).map((term) => term.join("\n"))));
  const counts = [...terms].flatMap((term) => {
    const [facet = "", value = ""] = term.split("\n");
    const found = count({ values: new Map([...choice.values, [facet, new Set([value])]]) });
    return found === 0 ? [] : [`${facet} ${value} ${found}`];
  });
  return {
    inStock: count({ availability: new Set(["1"]) }),
    soldOut: count({ availability: new Set(["0"]) }),
    counts: counts.sort(),
  };
}

function fits(
  product: Product,
  { values, availability, priceFrom = 0, priceTo = Number.POSITIVE_INFINITY }: FilterSelection,
): boolean {
  const own = termsOf(product);
  for (const [facet, wanted] of values)
    if (!isOptionFacet(facet) && !own.some(([name, value]) => name === facet && wanted.has(value))) return false;
  const fitting = product.variants.filter(
    (variant) =>
      variant.price >= priceFrom &&
      variant.price <= priceTo &&
      [...values].every(
        ([facet, wanted]) =>
          !isOptionFacet(facet) ||
          product.options.some(
            (name, index) => optionFacet(name) === facet && wanted.has(variant.options[index] ?? ""),
          ),
      ),
  );
  if (fitting.length === 0) return false;
  return availability.size === 0 || availability.has(fitting.some(isAvailable) ? "1" : "0");
}

function termsOf(product: Product): readonly (readonly [string, string])[] {
  const { wash } = (product.metafields.care ?? {}) as { readonly wash?: string };
  return [
    [facetParams.vendor, product.vendor],
    [facetParams.productType, product.productType],
    ...product.tags.map((tag) => [facetParams.tag, tag] as const),
    ...(wash === undefined ? [] : [["filter.p.m.care.wash", wash] as const]),
    ...product.options.flatMap((name, index) =>
      product.variants.map(({ options }) => [optionFacet(name), options[index] ?? ""] as const),
    ),
  ].filter(([, value]) => value !== "") as (readonly [string, string])[];
}
