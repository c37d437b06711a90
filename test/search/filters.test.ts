import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchFacet, SearchPageAnswer, SuggestAnswer } from "@vitrine/client";
import fc from "fast-check";
import { product, type RowJson } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

/** Number of products. It exceeds the number that is ranked by relevance. */
const COUNT = 6_600;

interface Lamp {
  readonly title: string;
  readonly vendor: string;
  readonly tags: readonly string[];
  readonly material: string;
  readonly variants: readonly { readonly size: string; readonly price: number; readonly stock: number }[];
}

/** Returns the n-th product; values occur in all combinations. */
function lamp(n: number): Lamp {
  const sizes = ["S", "M", "L"].slice(0, 1 + (n % 3));
  return {
    title: `${n % 6 === 5 ? "Lantern" : "Lamp"} ${(n * 7_919) % COUNT}`,
    vendor: ["Ansty", "Cobb & Co", "Dunn"][Math.trunc(n / 3) % 3] as string,
    tags: ["new", "wool", "sale"].filter((_, index) => (n >> index) % 2 === 0),
    material: n % 4 === 0 ? "tin" : "brass",
    variants: sizes.map((size, index) => ({
      size,
      price: 1_000 + ((n * 37 + index * 450) % 2_000),
      stock: (n + index) % 4,
    })),
  };
}

const lamps = Array.from({ length: COUNT }, (_, n) => lamp(n));
const rows = lamps.map(({ title, vendor, tags, material, variants }, n): RowJson => {
  const offers = variants.map(({ size, price, stock }, index) => {
    return { id: n * 10 + index + 10, options: [size], price, inventory_quantity: stock };
  });
  const more = { vendor, tags, options: ["Size"], metafields: { custom: { material } } };
  return { ...product(n + 1, `lamp-${n}`, title, offers), product_type: "Lights", ...more };
});
const filters =
  "{% for f in list.filters %}{% for v in f.values %}{{ f.param_name }}={{ v.value }}:{{ v.count }};{% endfor %}{% endfor %}";
const shown = `{% for p in items %}{{ p.handle }},{% endfor %}`;
const shop = await startShop({
  rows: [...rows, { kind: "page", id: 1, handle: "lamps", title: "Lamp care", content: "" }],
  config: { search: { filterMetafields: ["custom.material"] } },
  themeFiles: {
    "templates/collection.liquid": `${filters.replace("list", "collection")}|{{ collection.products_count }}|{% paginate collection.products by 50 %}${shown.replace("items", "collection.products")}{% endpaginate %}`,
    "templates/search.liquid": `${filters.replace("list", "search")}|{{ search.results_count }}|{% paginate search.results by 50 %}${shown.replace("items", "search.results")}{% endpaginate %}{{ search.sort_by }}`,
  },
});
const client = shop.client();

async function read(path: string): Promise<{ counts: Map<string, number>; total: number; handles: string[] }> {
  const reply = await client.get(path);
  assert.equal(reply.status, 200, reply.text);
  const main = /<main>([\s\S]*)<\/main>/.exec(reply.text)?.[1] ?? "";
  const [counts = "", total = "", handles = ""] = main.replaceAll("&amp;", "&").split("|");
  return {
    counts: new Map(
      counts
        .split(";")
        .filter((one) => one.trim() !== "")
        .map((one) => [one.slice(0, one.lastIndexOf(":")).trim(), Number(one.slice(one.lastIndexOf(":") + 1))]),
    ),
    total: Number(total),
    handles: handles.split(",").slice(0, -1),
  };
}

/** Returns counts by "parameter=value". */
function countsIn(facets: readonly SearchFacet[]): Map<string, number> {
  return new Map(
    facets.flatMap(({ param_name, values = [] }) =>
      values.map(({ value, count }) => [`${param_name}=${value}`, count]),
    ),
  );
}

test("suggestions contain filters if requested, and the same results otherwise", async () => {
  const plain = await client.get("/search/suggest.json?q=lamp&limit=1");
  const { facets: none, results } = plain.json<SuggestAnswer>().resources;
  assert.equal(none, undefined);
  for (const asked of ["resources[options][facets]=true", "facets=true"]) {
    const reply = await client.get(`/search/suggest.json?q=lamp&limit=1&${asked}`);
    const { facets = [], results: same } = reply.json<SuggestAnswer>().resources;
    assert.deepEqual(same, results);
    assert.deepEqual(countsIn(facets), (await read("/search?q=lamp&type=product&")).counts);
    assert.deepEqual(
      facets.find(({ type }) => type === "price_range"),
      {
        type: "price_range",
        label: "Price",
        param_name: "filter.v.price",
        min_value: { param_name: "filter.v.price.gte", value: null },
        max_value: { param_name: "filter.v.price.lte", value: null },
        range_max: "29.99",
      },
    );
    assert.notEqual(reply.headers.etag, plain.headers.etag);
  }
  for (const [address, status] of [
    ["/search/suggest.json?q=lamp&resources[options][facets]=all", 422],
    ["/search/suggest.json?q=lamp&facets=all", 200],
    ["/search.json", 422],
    ["/search.json?q=lamp&type=lamp", 422],
    ["/search.json?q=lamp&page=x&limit=9999&sort_by=y&filter.v.price.gte=z", 200],
  ] as const)
    assert.equal((await client.get(address)).status, status, address);
  const sorted = await client.get("/search.json?q=lamp&limit=2&page=2&sort_by=price-ascending");
  const { sort_by, page, pages, results_count, results: dearer, facets } = sorted.json<SearchPageAnswer>();
  assert.deepEqual([sort_by, page, pages], ["price-ascending", 2, Math.ceil(results_count / 2)]);
  assert.deepEqual(
    dearer.map(({ object_type }) => object_type),
    ["product", "product"],
  );
  assert.equal(facets[0]?.label, "Availability");
});

test("filters have equal names in JSON and templates, and types keep the requested order, in every language", async () => {
  const theme = {
    "templates/search.liquid":
      "{% for f in search.filters %}{{ f.label }},{% endfor %}{{ search.types | join: ',' }}{% for v in search.filters.first.values %},{{ v.label }}{% endfor %}",
    "locales/fr.json": JSON.stringify({ collections: { filters: { productType: "Genre" } } }),
  };
  const other = await startShop({ config: { locales: { default: "en", others: ["fr", "ja"] } }, themeFiles: theme });
  for (const prefix of ["", "/fr", "/ja"]) {
    const query = "q=norrland&type=page,product";
    const page = await other.client().get(`${prefix}/search?${query}`);
    const json = (await other.client().get(`${prefix}/search.json?${query}`)).json<SearchPageAnswer>();
    const labels = [
      ...json.facets.map(({ label }) => label),
      ...json.types,
      ...(json.facets[0]?.values ?? []).map(({ label }) => label),
    ];
    assert.equal(/<main>([\s\S]*)<\/main>/.exec(page.text)?.[1]?.trim(), labels.join(","));
    assert.ok(
      labels.includes({ "": "Product type", "/fr": "Genre", "/ja": "商品タイプ" }[prefix] ?? ""),
      labels.join(),
    );
    assert.deepEqual(json.types, ["page", "product"]);
    const suggested = await other.client().get(`${prefix}/search/suggest.json?q=norrland&facets=true`);
    assert.deepEqual(
      suggested.json<SuggestAnswer>().resources.facets?.map(({ label }) => label),
      json.facets.map(({ label }) => label),
    );
  }
});

/** Number of rounds, which `npm run test:soak` increases. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 6);

/** Selected values by parameter. */
type FilterSelection = Readonly<Record<string, readonly string[]>>;

const some = (...values: string[]) => fc.subarray(values, { maxLength: 2 });
const choices: fc.Arbitrary<FilterSelection> = fc.record(
  {
    "filter.p.vendor": some("Ansty", "Cobb & Co", "Dunn", "nobody"),
    "filter.p.tag": some("new", "wool", "sale"),
    "filter.v.option.size": some("S", "M", "L"),
    "filter.p.m.custom.material": some("tin", "brass"),
    "filter.v.availability": some("1", "0"),
    "filter.v.price.gte": fc.constantFrom(["12"], ["20.50"]),
    "filter.v.price.lte": fc.constantFrom(["15"], ["28"]),
  },
  { requiredKeys: [] },
);

function fits(one: Lamp, choice: FilterSelection): boolean {
  const has = (param: string, own: readonly string[]): boolean => {
    const wanted = choice[param] ?? [];
    return wanted.length === 0 || own.some((value) => wanted.includes(value));
  };
  const from = Number(choice["filter.v.price.gte"]?.[0] ?? 0) * 100;
  const to = Number(choice["filter.v.price.lte"]?.[0] ?? 1_000_000) * 100;
  const left = one.variants.filter(
    ({ size, price }) => has("filter.v.option.size", [size]) && price >= from && price <= to,
  );
  const isInStock = left.some(({ stock }) => stock > 0);
  return (
    has("filter.p.vendor", [one.vendor]) &&
    has("filter.p.tag", one.tags) &&
    has("filter.p.m.custom.material", [one.material]) &&
    left.length > 0 &&
    has("filter.v.availability", [isInStock ? "1" : "0"])
  );
}

const offered = {
  "filter.v.availability": ["1", "0"],
  "filter.p.vendor": ["Ansty", "Cobb & Co", "Dunn"],
  "filter.v.option.size": ["S", "M", "L"],
  "filter.p.tag": ["new", "wool", "sale"],
  "filter.p.m.custom.material": ["tin", "brass"],
};

for (const [path, among] of [
  ["/collections/all?", lamps],
  ["/search?q=lamp&type=product&", lamps.filter(({ title }) => title.startsWith("Lamp"))],
] as const)
  test(`${path} counts and lists the same products as a full scan, for any number`, async () => {
    await fc.assert(
      fc.asyncProperty(choices, async (choice) => {
        const query = new URLSearchParams(
          Object.entries(choice).flatMap(([name, all]) => all.map((one) => [name, one])),
        );
        const { counts, total, handles } = await read(path + query);
        const count = (more: FilterSelection = {}): number =>
          among.filter((one) => fits(one, { ...choice, ...more })).length;
        assert.equal(total, count());
        for (const [param, values] of Object.entries(offered))
          for (const value of values)
            assert.equal(counts.get(`${param}=${value}`), count({ [param]: [value] }), `${param} ${value}`);
        assert.equal(handles.length, Math.min(50, total));
        for (const handle of handles)
          assert.ok(fits(lamps[Number(handle.slice("lamp-".length))] as Lamp, choice), handle);
        if (!path.startsWith("/search")) return;
        const reply = await client.get(`/search.json?q=lamp&type=product&limit=50&${query}`);
        const found = reply.json<SearchPageAnswer>();
        assert.deepEqual(
          found.results.map(({ handle }) => handle),
          handles,
        );
        assert.equal(found.results_count, total);
        assert.deepEqual(countsIn(found.facets), counts);
      }),
      { numRuns: rounds },
    );
  });

test("both lists sort by price and title across pages", async () => {
  const lowest = (handle: string): number =>
    Math.min(...(lamps[Number(handle.slice("lamp-".length))] as Lamp).variants.map(({ price }) => price));
  const sorted = (prices: readonly number[]): number[] => prices.toSorted((one, other) => one - other);
  const all = sorted(lamps.map((_, n) => lowest(`lamp-${n}`)));
  const found = sorted(lamps.flatMap(({ title }, n) => (title.startsWith("Lamp") ? [lowest(`lamp-${n}`)] : [])));
  const cheapest = (await read("/collections/all?sort_by=price-ascending&page=3")).handles.map(lowest);
  assert.deepEqual(cheapest, all.slice(100, 150));
  const dearest = (await read("/search?q=lamp&type=product&sort_by=price-descending&page=99")).handles.map(lowest);
  assert.deepEqual(dearest, found.toReversed().slice(4_900, 4_950));
  const titles = (await read("/collections/all?sort_by=title-ascending")).handles.map(
    (handle) => (lamps[Number(handle.slice("lamp-".length))] as Lamp).title,
  );
  const { compare } = new Intl.Collator("en", { numeric: true });
  assert.deepEqual(
    titles,
    lamps
      .map(({ title }) => title)
      .sort(compare)
      .slice(0, 50),
  );
});

test("a filter selection removes results of other types", async () => {
  const whole = await read("/search?q=lamp");
  const narrowed = await read("/search?q=lamp&filter.p.vendor=Ansty&filter.p.vendor=Cobb+%26+Co&filter.p.vendor=Dunn");
  assert.equal(whole.total, 5_501);
  assert.equal(narrowed.total, 5_500);
  const last = await read("/search?q=lamp&sort_by=price-ascending&page=111");
  assert.deepEqual(last.handles, ["lamps"]);
});

test("values of a filter by color have swatches", async () => {
  const colored = await startShop({
    rows: [
      {
        ...product(1, "sou-wester", "Sou'wester", [
          { id: 11, price: 100, options: ["Yellow", "S"] },
          { id: 12, price: 100, options: ["Tartan", "M"] },
        ]),
        options: ["Color", "Size"],
      },
      product(2, "bell", "Bell", [{ id: 21, price: 100 }]),
    ],
    config: { swatches: { tartan: "tartan.png" } },
    themeFiles: {
      "templates/collection.liquid":
        "{% for f in collection.filters %}{% for v in f.values %}{% if v.swatch %}{{ v.label }} {{ v.swatch.color }}{{ v.swatch.image }};{% endif %}{% endfor %}{% endfor %}",
    },
  });
  const { text } = await colored.client().get("/collections/all");
  assert.match(text, /Tartan \/media\/tartan\.png;Yellow #fbc02d;|Yellow #fbc02d;Tartan \/media\/tartan\.png;/);
  assert.doesNotMatch(text, /[SM] [#/][\w/]+;/);
});
