// Measures the time and memory of filters, counts and sort orders of long lists: the list of all products of the
// generated catalog, and the results of a search that matches most of them.
//   VITRINE_DATA=… node bench/facets.ts [--products 100000] [--record]
// Each figure is the median processor time of runs with empty caches. The slow count reads each product once per value.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createSearcher } from "@vitrine/search";
import type { FilteredList, ProductList } from "../src/catalog/facets/facets.ts";
import { type FilterSelection, facetParams, noSelection } from "../src/catalog/facets/filter-selection.ts";
import { openCatalog, type PackedCatalog } from "../src/catalog/packed/packed-catalog.ts";
import type { Product } from "../src/catalog/product.ts";
import { isProductAvailable } from "../src/catalog/stock.ts";
import { schema } from "../src/predictive-search/schema.ts";
import { searchFacets, searchPage } from "../src/predictive-search/search-page.ts";
import { buildBase } from "../src/snapshot/build.ts";
import { bytesIn } from "../src/snapshot/size.ts";
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
  const { base, segment } = buildBase(reader, { default: "en", others: [] }, reader.size());
  reader.close();
  const index = createSearcher(schema).open([segment], { synonyms: [], popular: [] });
  const open = (): PackedCatalog => openCatalog(base);
  const all = (catalog: PackedCatalog): ProductList => ({ key: "all", numbers: () => catalog.numbers("product") });
  const found = index.matches(
    { text: "a", locale: "en", limits: new Map([[0, 1]]), typos: true, unavailable: "last" },
    0,
  );
  const some: ProductList = { key: "a", numbers: () => found };
  const vendor = frequentValue(open().facets().filter(some, noSelection), facetParams.vendor);
  const choices: readonly (readonly [string, FilterSelection])[] = [
    ["nothing chosen", noSelection],
    ["a vendor", { ...noSelection, values: new Map([[facetParams.vendor, new Set([vendor])]]) }],
    ["a price and in stock", { ...noSelection, availability: new Set(["1"]), priceFrom: 1_000, priceTo: 10_000 }],
  ];
  const rows: string[][] = [];
  for (const [name, listOf] of [
    ["all", all],
    ["search “a”", () => some],
  ] as const)
    for (const [chosen, choice] of choices) {
      const first = time(
        () => open(),
        (catalog) => catalog.facets().filter(listOf(catalog), choice),
      );
      const next = time(
        () => {
          const catalog = open();
          catalog.facets().filter(listOf(catalog), { ...noSelection, priceTo: 1 });
          return catalog;
        },
        (catalog) => catalog.facets().filter(listOf(catalog), choice),
      );
      const catalog = open();
      const { list, facets, inStock, soldOut } = catalog.facets().filter(listOf(catalog), choice);
      const values = facets.reduce((sum, one) => sum + one.values.length, 0);
      const slow = slowCount(catalog, listOf(catalog), choice, facets);
      if (slow.inStock !== inStock || slow.soldOut !== soldOut || slow.differs > 0) throw new Error("counts differ");
      rows.push([
        name,
        `${listOf(catalog).numbers().length}`,
        chosen,
        `${list.numbers().length}`,
        `${values}`,
        first,
        next,
        slow.ms,
      ]);
    }
  for (const order of ["price-ascending", "title-ascending", "best-selling"] as const)
    rows.push([
      "all",
      `${base.lists.product.length}`,
      order,
      "",
      "",
      time(open, (catalog) => catalog.facets().sort(all(catalog), order, "en")),
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
  const look = time(
    () => at(open()),
    (context) => {
      searchPage(page, context);
      searchFacets(page, context);
    },
  );
  rows.push(["search “a”", `${found.length}`, "first look: search, total and facets", "", "", look, "", ""]);
  const memory = `${(bytesIn(base.facets) / 1e6).toFixed(1)} MB of ${((bytesIn(base) + bytesIn(segment)) / 1e6).toFixed(0)} MB`;
  const written = rows.map((row) => [...today(), options.products, memory, ...row]);
  for (const row of written) process.stdout.write(`| ${row.join(" | ")} |\n`);
  if (options.record) recordRows(heading, written);
} finally {
  await store.remove();
}

/** Returns the median CPU time.  @param make creates the input of each run */
function time<T>(make: () => T, run: (given: T) => void): string {
  const times: number[] = [];
  for (let round = 0; round < RUNS; round += 1) {
    const given = make();
    const start = process.cpuUsage();
    run(given);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1_000);
  }
  return `${percentile(times, 0.5).toFixed(2)} ms`;
}

function frequentValue({ facets }: FilteredList, wanted: string): string {
  const values = facets.find(({ facet }) => facet === wanted)?.values ?? [];
  return values.toSorted((one, other) => other.count - one.count)[0]?.value ?? "";
}

/** Counts products one by one, for each vendor and type. Reference for the fast version. */
function slowCount(
  catalog: PackedCatalog,
  list: ProductList,
  { values, availability, priceFrom = 0, priceTo = Number.POSITIVE_INFINITY }: FilterSelection,
  facets: FilteredList["facets"],
): { readonly inStock: number; readonly soldOut: number; readonly differs: number; readonly ms: string } {
  const start = process.cpuUsage();
  const counts = new Map<string, number>();
  let [inStock, soldOut] = [0, 0];
  for (const number of list.numbers()) {
    const product = catalog.entry(number) as Product;
    if (!product.variants.some(({ price }) => price >= priceFrom && price <= priceTo)) continue;
    const isIn = isProductAvailable(product);
    const fitsStock = availability.size === 0 || availability.has(isIn ? "1" : "0");
    const has = (facet: string): boolean =>
      values.get(facet)?.has(facet === facetParams.vendor ? product.vendor : product.productType) !== false;
    const others = has(facetParams.vendor);
    if (others && isIn) inStock += 1;
    else if (others) soldOut += 1;
    const count = (facet: string, value: string): void => {
      counts.set(`${facet} ${value}`, (counts.get(`${facet} ${value}`) ?? 0) + 1);
    };
    if (fitsStock) count(facetParams.vendor, product.vendor);
    if (fitsStock && others) {
      count(facetParams.productType, product.productType);
      for (const tag of new Set(product.tags)) count(facetParams.tag, tag);
    }
  }
  const { user, system } = process.cpuUsage(start);
  const differs = facets.flatMap(({ facet, values: offered }) =>
    offered.filter(({ value, count }) => (counts.get(`${facet} ${value}`) ?? 0) !== count),
  ).length;
  return { inStock, soldOut, differs, ms: `${((user + system) / 1_000).toFixed(0)} ms` };
}
