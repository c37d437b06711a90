import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import type { Cart } from "../../src/cart/cart.ts";
import { priceCart } from "../../src/cart/price-cart.ts";
import type { PricedCart } from "../../src/cart/priced-cart.ts";
import type { Catalog, Entry } from "../../src/catalog/catalog.ts";
import { localize } from "../../src/catalog/localize.ts";
import { issueJson } from "../../src/http/json/cart-json.ts";
import { createCartSerializer, formatCartMembers } from "../../src/http/json/cart-text.ts";
import { toFullProductJson } from "../../src/http/json/product-json.ts";
import { createSuggestSerializer } from "../../src/http/json/suggest-text.ts";
import type { PredictiveSearchResult } from "../../src/predictive-search/predictive-search.ts";
import { openTheme } from "../../src/theme/example-shop.fixture.ts";
import { catalogOf, type RandomShop, randomShops } from "./random-shop.ts";

/** Number of runs, which `npm run test:soak` increases. */
const numRuns = Number(process.env.VITRINE_ROUNDS ?? 40);
const maxQuantity = 20;
const locales = { default: "en", others: ["fr"] };
const customer = { kind: "customer", id: "7", email: "mate@example.test", storeCredit: 70 } as const;
/** Fields that contain objects with keys of the shopper. */
const maps: ReadonlySet<string> = new Set(["properties", "attributes"]);

interface Case {
  readonly catalog: Catalog;
  readonly cart: Cart;
  readonly locale: string;
}
const cases = fc.record({ shop: randomShops, locale: fc.constantFrom("en", "fr") });

function opened({ shop: { rows, cart }, locale }: { readonly shop: RandomShop; readonly locale: string }): Case {
  return { catalog: catalogOf(rows), cart, locale };
}

/** A kind of data: its JSON, and the object that a section reads. */
interface Compared {
  readonly path: string;
  readonly json: (shop: Case) => unknown;
}

const compared: Readonly<Record<string, Compared>> = {
  "a cart": {
    path: "cart",
    json: (shop) => {
      const priced = price(shop);
      const { locale } = shop;
      const members = formatCartMembers(createCartSerializer().serialize(priced, { locale, prefix: prefixOf(locale) }));
      return { ...JSON.parse(`{${members}}`), issues: priced.issues.map(issueJson) };
    },
  },
  "what is found while typing": {
    path: "predictive_search.resources",
    json: (shop) => {
      const { catalog, locale } = shop;
      const of = (kind: Entry["kind"]) => Array.from(catalog.numbers(kind), (externalId) => ({ externalId }));
      const hits = {
        product: of("product"),
        collection: of("collection"),
        page: of("page"),
        article: of("article"),
        bundle: of("bundle"),
      };
      const { body } = createSuggestSerializer(1_000_000).serialize(
        { ...typed, hits },
        { catalog, locale, prefix: prefixOf(locale) },
      );
      return JSON.parse(Buffer.from(body.bytes, "latin1").toString()).resources.results;
    },
  },
  "a product's page": {
    path: "collections.all.products",
    json: (shop) =>
      found(shop).products.map((product) => {
        // In JSON, `options` contains objects. In templates, it contains names.
        const { options, ...fields } = toFullProductJson({ product, prefix: prefixOf(shop.locale) });
        return { ...fields, options_with_values: options };
      }),
  },
};

for (const [what, { path, json }] of Object.entries(compared)) {
  test(`a section and the JSON have equal fields of ${what}: ${numRuns} random stores (spec 2.1 to 2.3)`, async (t) => {
    const shape = fc.sample(cases, { numRuns: 100, seed: 1 }).map((one) => plain(json(opened(one))));
    const section = await sections(t, path, merged(shape));
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const shop = opened(one);
        const { read, written } = JSON.parse(await section(shop)) as Record<"read" | "written", unknown>;
        const expected = plain(json(shop));
        assertSame(read, expected, path);
        assertWritten(written, expected, path);
      }),
      { numRuns },
    );
  });
}

/** Renders a section that prints each field of `shape`, and the output of `json` for the same object. */
async function sections(t: TestContext, path: string, shape: unknown): Promise<(shop: Case) => Promise<string>> {
  const files = { "sections/a.liquid": `{ "read": ${reading(shape, path)}, "written": {{ ${path} | json }} }` };
  const theme = await openTheme(t, files, { locales, cart: { maxLines: 250, maxQuantity, cookieDays: 30 } });
  return async (shop) => {
    const { catalog, locale } = shop;
    const suggestions = path.startsWith("predictive_search") ? { predictiveSearch: found(shop) } : {};
    const html = await theme.section("a", { catalog, locale, ...suggestions, cart: async () => price(shop) });
    assert.deepEqual(theme.reports, []);
    return html;
  };
}

/** Returns Liquid that prints, as JSON, each field of `shape` read from `path`. */
function reading(shape: unknown, path: string, name = ""): string {
  if (maps.has(name) || typeof shape !== "object" || shape === null) return `{{ ${path} | json }}`;
  if (Array.isArray(shape)) {
    const [item] = shape;
    if (typeof item !== "object") return `{{ ${path} | json }}`;
    const one = `${path.replaceAll(".", "_")}_one`;
    const comma = "{% unless forloop.last %},{% endunless %}";
    return `[{% for ${one} in ${path} %}${reading(item, one)}${comma}{% endfor %}]`;
  }
  const fields = Object.entries(shape).map(([key, value]) => `"${key}": ${reading(value, `${path}.${key}`, key)}`);
  return `{% if ${path} %}{ ${fields.join(", ")} }{% else %}null{% endif %}`;
}

/** Merges values into one with all their fields. Lists get one item or none. */
function merged(values: readonly unknown[]): unknown {
  const given = values.filter((value) => value !== null && value !== undefined);
  if (given.some(Array.isArray)) {
    const item = merged(given.flat());
    return item === undefined ? [] : [item];
  }
  const records = given.filter((value) => typeof value === "object") as readonly Record<string, unknown>[];
  if (records.length === 0) return given[0];
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  return Object.fromEntries([...names].map((name) => [name, merged(records.map((record) => record[name])) ?? null]));
}

/** Asserts equality field by field; null equals a missing field. */
function assertSame(read: unknown, expected: unknown, path: string): void {
  if (typeof expected !== "object" || expected === null) {
    assert.equal(read ?? null, expected ?? null, path);
    return;
  }
  assert.ok(typeof read === "object" && read !== null, `${path}: ${read}`);
  const names = new Set([...Object.keys(read), ...Object.keys(expected)]);
  for (const name of names) assertSame(field(read, name), field(expected, name), `${path}.${name}`);
}

/** Asserts that `json` writes the fields of `expected`, except links to other objects. */
function assertWritten(written: unknown, expected: unknown, path: string): void {
  if (typeof expected !== "object" || expected === null) {
    assert.equal(written, expected, path);
    return;
  }
  assert.ok(typeof written === "object" && written !== null, `${path}: ${written}`);
  if (Array.isArray(expected)) assert.equal((written as unknown[]).length, expected.length, path);
  for (const name of Object.keys(expected))
    if (Object.hasOwn(written, name)) assertWritten(field(written, name), field(expected, name), `${path}.${name}`);
}

function field(value: object, name: string): unknown {
  return (value as Record<string, unknown>)[name];
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function prefixOf(locale: string): string {
  return locale === locales.default ? "" : `/${locale}`;
}

function price({ catalog, cart }: Case): PricedCart {
  return priceCart(cart, { catalog, currency: "USD", maxQuantity, now: 0, customer });
}

const typed: Pick<PredictiveSearchResult, "terms" | "types" | "queries"> = {
  terms: "<to",
  types: ["query"],
  queries: [{ text: 'to<te & "x" \ud800', styledText: "<mark>to</mark><span>&lt;te &amp; &quot;x&quot;</span>" }],
};

/** Returns the entire catalog as a search result. */
function found({ catalog, locale }: Case): PredictiveSearchResult {
  const all = <K extends Entry["kind"]>(kind: K) =>
    [...catalog.numbers(kind)].map((number) => localize(catalog.entry(number) as Extract<Entry, { kind: K }>, locale));
  return {
    ...typed,
    products: all("product"),
    collections: all("collection"),
    pages: all("page"),
    articles: all("article"),
    bundles: all("bundle"),
  };
}
