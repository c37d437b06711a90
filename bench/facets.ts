// Measures the time and memory of filters, counts and sort orders of long lists: the list of all products of the
// generated catalog, and the results of a search that matches most of them.
//   VITRINE_DATA=… node bench/facets.ts [--products 100000] [--record]
// Each figure is the median processor time of runs with empty caches. The slow count reads each product once per value.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createSearcher } from "@vitrine/search";
import type { FilteredList, ProductList } from "../src/catalog/facets/facets.ts";
import { emptySelection, type FilterSelection, facetParams } from "../src/catalog/facets/filter-selection.ts";
import { openCatalog, type PackedCatalog } from "../src/catalog/packed/packed-catalog.ts";
import type { Product } from "../src/catalog/product.ts";
import { isProductAvailable } from "../src/catalog/stock.ts";
import { schema } from "../src/predictive-search/schema.ts";
import { findFilteredList, findSearchPage } from "../src/predictive-search/search-page.ts";
import { buildBaseLayer } from "../src/snapshot/build.ts";
import { countBytes } from "../src/snapshot/size.ts";
import { openSqliteCatalog } from "../src/storage/sqlite/catalog-reader.ts";
import { bigCatalogue } from "./catalog-1m.ts";
import { recordRows, today } from "./results.ts";
import { makeStore, percentile, runCommand } from "./store.ts";

const { values: options } = parseArgs({
  options: { products: { type: "string", default: "100000" }, record: { type: "boolean", default: false } },
});
const heading = "## facets.ts: filters, counts, and sorting of long lists";
const RUNS = 15;

const store = await makeStore();
try {
  await runCommand(["import", "--store", store.dir, bigCatalogue(Number(options.products))]);
  const reader = openSqliteCatalog(join(store.dir, "data", "vitrine.db"));
  const { base, segment } = buildBaseLayer(reader, { default: "en", others: [] }, reader.size());
  reader.close();
  const index = createSearcher(schema).open([segment], { synonyms: [], popular: [] });
  const openCatalogAgain = (): PackedCatalog => openCatalog(base);
  const listAll = (catalog: PackedCatalog): ProductList => ({ key: "all", numbers: () => catalog.numbers("product") });
  const matches = index.matches(
    { text: "a", locale: "en", limits: new Map([[0, 1]]), typos: true, unavailable: "last" },
    0,
  );
  const matchList: ProductList = { key: "a", numbers: () => matches };
  const vendor = frequentValue(openCatalogAgain().facets().filter(matchList, emptySelection), facetParams.vendor);
  const choices: readonly (readonly [string, FilterSelection])[] = [
    ["nothing chosen", emptySelection],
    ["a vendor", { ...emptySelection, values: new Map([[facetParams.vendor, new Set([vendor])]]) }],
    ["a price and in stock", { ...emptySelection, availability: new Set(["1"]), priceFrom: 1_000, priceTo: 10_000 }],
  ];
  const rows: string[][] = [];
  for (const [name, listOf] of [
    ["all", listAll],
    ["search “a”", () => matchList],
  ] as const)
    for (const [selectionName, choice] of choices) {
      const firstCall = measureTime(
        () => openCatalogAgain(),
        (catalog) => catalog.facets().filter(listOf(catalog), choice),
      );
      const nextCall = measureTime(
        () => {
          const catalog = openCatalogAgain();
          catalog.facets().filter(listOf(catalog), { ...emptySelection, priceTo: 1 });
          return catalog;
        },
        (catalog) => catalog.facets().filter(listOf(catalog), choice),
      );
      const catalog = openCatalogAgain();
      const { list, facets, inStockCount, soldOutCount } = catalog.facets().filter(listOf(catalog), choice);
      const values = facets.reduce((sum, facet) => sum + facet.values.length, 0);
      const slowTime = slowCount(catalog, listOf(catalog), choice, facets);
      if (slowTime.inStock !== inStockCount || slowTime.soldOutCount !== soldOutCount || slowTime.differs > 0)
        throw new Error("counts differ");
      rows.push([
        name,
        `${listOf(catalog).numbers().length}`,
        selectionName,
        `${list.numbers().length}`,
        `${values}`,
        firstCall,
        nextCall,
        slowTime.ms,
      ]);
    }
  for (const order of ["price-ascending", "title-ascending", "best-selling"] as const)
    rows.push([
      "all",
      `${base.lists.product.length}`,
      order,
      "",
      "",
      measureTime(openCatalogAgain, (catalog) => catalog.facets().sort(listAll(catalog), order, "en")),
      "",
      "",
    ]);
  const at = (catalog: PackedCatalog) => ({
    catalog,
    index: createSearcher(schema).open([segment], { synonyms: [], popular: [] }),
    locale: "en",
    now: 0,
    typoTolerance: true,
  });
  const page = { q: "a", types: ["product"] as const, page: 1, perPage: 24 };
  const search = measureTime(
    () => at(openCatalogAgain()),
    (context) => {
      findSearchPage(page, context);
      findFilteredList(page, context);
    },
  );
  rows.push(["search “a”", `${matches.length}`, "first look: search, total and facets", "", "", search, "", ""]);
  const memory = `${(countBytes(base.facets) / 1e6).toFixed(1)} MB of ${((countBytes(base) + countBytes(segment)) / 1e6).toFixed(0)} MB`;
  const resultRows = rows.map((row) => [...today(), options.products, memory, ...row]);
  for (const row of resultRows) process.stdout.write(`| ${row.join(" | ")} |\n`);
  if (options.record) recordRows(heading, resultRows);
} finally {
  await store.remove();
}

/** Returns the median CPU time.  @param make creates the input of each run */
function measureTime<T>(make: () => T, measured: (input: T) => void): string {
  const times: number[] = [];
  for (let round = 0; round < RUNS; round += 1) {
    const input = make();
    const start = process.cpuUsage();
    measured(input);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1_000);
  }
  return `${percentile(times, 0.5).toFixed(2)} ms`;
}

function frequentValue({ facets }: FilteredList, facetName: string): string {
  const values = facets.find(({ facet }) => facet === facetName)?.values ?? [];
  return values.toSorted((left, right) => right.count - left.count)[0]?.value ?? "";
}

/** Counts products one by one, for each vendor and type. Reference for the fast version. */
function slowCount(
  catalog: PackedCatalog,
  list: ProductList,
  { values, availability, priceFrom = 0, priceTo = Number.POSITIVE_INFINITY }: FilterSelection,
  facets: FilteredList["facets"],
): { readonly inStock: number; readonly soldOutCount: number; readonly differs: number; readonly ms: string } {
  const start = process.cpuUsage();
  const counts = new Map<string, number>();
  let [inStock, soldOutCount] = [0, 0];
  for (const number of list.numbers()) {
    const product = catalog.entry(number) as Product;
    if (!product.variants.some(({ price }) => price >= priceFrom && price <= priceTo)) continue;
    const isInStock = isProductAvailable(product);
    const fitsStock = availability.size === 0 || availability.has(isInStock ? "1" : "0");
    const hasSelectedValue = (facet: string): boolean =>
      values.get(facet)?.has(facet === facetParams.vendor ? product.vendor : product.productType) !== false;
    const matchesOtherFacets = hasSelectedValue(facetParams.vendor);
    if (matchesOtherFacets && isInStock) inStock += 1;
    else if (matchesOtherFacets) soldOutCount += 1;
    const addValue = (facet: string, value: string): void => {
      counts.set(`${facet} ${value}`, (counts.get(`${facet} ${value}`) ?? 0) + 1);
    };
    if (fitsStock) addValue(facetParams.vendor, product.vendor);
    if (fitsStock && matchesOtherFacets) {
      addValue(facetParams.productType, product.productType);
      for (const tag of new Set(product.tags)) addValue(facetParams.tag, tag);
    }
  }
  const { user, system } = process.cpuUsage(start);
  const differs = facets.flatMap(({ facet, values: facetValues }) =>
    facetValues.filter(({ value, count: addValue }) => (counts.get(`${facet} ${value}`) ?? 0) !== addValue),
  ).length;
  return { inStock, soldOutCount, differs, ms: `${((user + system) / 1_000).toFixed(0)} ms` };
}
