import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { SearchIndex } from "@vitrine/search";
import { emptyCart } from "../cart/cart.ts";
import { priceCart } from "../cart/price-cart.ts";
import type { PricedCart } from "../cart/priced-cart.ts";
import type { Catalog, Entry } from "../catalog/catalog.ts";
import { staticStock } from "../catalog/live/live-stock.ts";
import { packCatalog } from "../catalog/packed/pack-base.ts";
import { openCatalog } from "../catalog/packed/packed-catalog.ts";
import type { Product, Variant } from "../catalog/product.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { checkSettings } from "../config/load-config.ts";
import type { Config } from "../config/settings.ts";
import { emptySearchRules } from "../predictive-search/rules/search-rules.ts";
import type { RenderRequest, Theme } from "./theme.ts";
import { loadTheme } from "./theme-loader.ts";

/** A theme in a temporary folder that is deleted after the test. */
export interface OpenTheme {
  readonly theme: Theme;
  readonly dir: string;
  /** Errors that the theme reported. */
  readonly reports: unknown[];
  /** Returns the messages of the errors in the theme's current files. */
  errorMessages(): readonly string[];
  write(file: string, text: string): void;
  /** Renders a section and returns the HTML inside its wrapper element. */
  section(id: string, request?: Partial<RenderRequest>): Promise<string>;
  page(target: string, request?: Partial<RenderRequest>): Promise<string>;
}

export async function openTheme(
  test: TestContext,
  files: Readonly<Record<string, string>>,
  settings: Partial<Config> = {},
): Promise<OpenTheme> {
  const dir = mkdtempSync(join(tmpdir(), "vitrine-theme-"));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  const reports: unknown[] = [];
  let errors: readonly Error[] = [];
  const theme = loadTheme({
    dir,
    mediaDir: join(dir, "media"),
    config: buildConfig(settings),
    report: (error) => reports.push(error),
    onRevision: (theme) => {
      errors = theme.errors;
    },
  });
  test.after(() => rmSync(dir, { recursive: true, force: true }));
  return {
    theme,
    dir,
    reports,
    errorMessages: () => errors.map(({ message }) => message),
    write,
    section: async (id, request) => {
      const { html } = await theme.renderSection(id, buildRequest(request));
      return html.slice(html.indexOf(">") + 1, -"</div>".length);
    },
    page: async (target, request) => (await theme.renderPage(buildRequest({ target, ...request }))).html,
  };
}

export function buildConfig(settings: Partial<Config> = {}): Config {
  const fileSettings = { name: "Tea & Co", locales: { default: "en", others: ["fr", "ja"] } };
  return { ...checkSettings(fileSettings, "vitrine.config.ts"), ...settings };
}

export function buildRequest(request: Partial<RenderRequest> = {}): RenderRequest {
  return {
    locale: "en",
    target: "/",
    origin: "https://shop.example",
    catalog: buildCatalog(),
    index: emptyIndex,
    cart: async () => buildCart(0),
    searchRules: emptySearchRules,
    now: Date.parse("2026-06-15T12:00:00Z"),
    ...request,
  };
}

/** Returns a cart with `quantity` units of the first product. */
export function buildCart(quantity: number, catalog: Catalog = buildCatalog()): PricedCart {
  const line = { key: "line-1", variantId: "11", quantity, properties: {}, seenPrice: 1999, seenTitle: "Tote" };
  const cart = quantity === 0 ? emptyCart : { ...emptyCart, id: "cart-1", revision: 1, lines: [line] };
  return priceCart(cart, { catalog, currency: "USD", maxQuantity: 9_999, now: 0 });
}

export function buildVariant(variant: Partial<Variant> = {}): Variant {
  return {
    id: "11",
    title: "Red",
    options: ["Red"],
    price: 1999,
    inventoryPolicy: "deny",
    requiresShipping: true,
    taxable: true,
    grams: 250,
    quantityRule: { min: 1, increment: 1 },
    ...variant,
  };
}

export function buildProduct(product: Partial<Product> = {}): Product {
  return {
    kind: "product",
    id: "1",
    handle: "tote",
    title: "Tote",
    vendor: "Harbour",
    productType: "Bag",
    tags: ["linen"],
    description: "<p>A bag.</p>",
    published: true,
    popularity: 0.5,
    options: ["Colour"],
    variants: [buildVariant(), buildVariant({ id: "12", title: "Blue", options: ["Blue"], price: 2599 })],
    images: [{ src: "/media/tote.jpg", alt: "A red tote", width: 800, height: 400 }],
    requiresCustomer: false,
    giftCard: false,
    metafields: { care: { wash: "30°" } },
    translations: { fr: { title: "Cabas" } },
    ...product,
  };
}

const otherEntries: readonly Entry[] = [
  {
    kind: "collection",
    id: "5",
    handle: "bags",
    title: "Bags",
    description: "All bags",
    products: ["tote", "mug"],
    published: true,
    translations: {},
  },
  { kind: "page", id: "6", handle: "about", title: "About", content: "<p>Us</p>", published: true, translations: {} },
  {
    kind: "article",
    id: "7",
    handle: "first",
    title: "First",
    blog: "news",
    content: "<p>Hello</p>",
    excerpt: "",
    author: "Ann",
    tags: [],
    publishedAt: "2026-01-02T00:00:00Z",
    published: true,
    translations: {},
  },
  {
    kind: "article",
    id: "8",
    handle: "later",
    title: "Later",
    blog: "news",
    content: "",
    excerpt: "",
    author: "Ann",
    tags: [],
    publishedAt: "2027-01-02T00:00:00Z",
    published: true,
    translations: {},
  },
  {
    kind: "bundle",
    id: "9",
    handle: "gift-box",
    name: "Gift box",
    title: "Gift box",
    type: "box_builder",
    products: ["tote", "mug"],
    published: true,
    translations: {},
  },
];

/** Creates a catalog in memory. Its lookups are simple but slow. */
export function buildCatalog(products: readonly Product[] = [buildProduct(), mugProduct]): Catalog {
  const entries: readonly Entry[] = [...products, ...otherEntries];
  const findEntry = <Kind extends Entry["kind"]>(
    kind: Kind,
    handle: string,
  ): Extract<Entry, { kind: Kind }> | undefined =>
    entries.find((entry) => entry.kind === kind && entry.handle === handle) as never;
  const listEntryNumbers = (isIncluded: (entry: Entry) => boolean): Uint32Array =>
    Uint32Array.from(entries.flatMap((entry, number) => (isIncluded(entry) ? [number] : [])));
  const packedEntries = createPackedCatalog(entries);
  return {
    revision: 1,
    stock: staticStock,
    isAvailableNow: () => undefined,
    entry: (number) => entries[number],
    locationOf: (number) => (number < entries.length ? { rows: entries, position: number } : undefined),
    product: (handle) => findEntry("product", handle),
    productNumber: (handle) => listEntryNumbers((entry) => entry.kind === "product" && entry.handle === handle)[0],
    productNumberById: (id) => listEntryNumbers((entry) => entry.kind === "product" && entry.id === id)[0],
    productById: (id) => products.find((product) => product.id === id),
    variant: (id) => {
      for (const product of products) {
        const variant = product.variants.find((variant) => variant.id === id);
        if (variant !== undefined) return { product, variant };
      }
      return undefined;
    },
    findAnyVariant: () => undefined,
    variantsBySku: () => [],
    hasVariant: (id) => products.some(({ variants }) => variants.some((variant) => variant.id === id)),
    collection: (handle) => findEntry("collection", handle),
    page: (handle) => findEntry("page", handle),
    article: (blog, handle) => {
      const article = findEntry("article", handle);
      return article?.blog === blog ? article : undefined;
    },
    bundle: (handle) => findEntry("bundle", handle),
    discount: () => undefined,
    automaticDiscounts: () => [],
    giftCard: () => undefined,
    customer: () => undefined,
    metaobjects: () => [],
    numbers: (kind) => listEntryNumbers((entry) => entry.kind === kind),
    collectionProducts: (handle) => {
      const members = findEntry("collection", handle)?.products ?? [];
      return listEntryNumbers((entry) => entry.kind === "product" && members.includes(entry.handle));
    },
    collectionsOf: (handle) => (handle === "tote" || handle === "mug" ? ["bags"] : []),
    blogs: () => ["news"],
    facets: () => packedEntries.facets(),
  };
}

/** Creates a catalog in the compact binary format that the store uses on disk. */
function createPackedCatalog(entries: readonly Entry[]): Catalog {
  const storedRows = entries.map((entry, position) => {
    return { kind: entry.kind, position, isDeleted: false, json: formatRow(entry) };
  });
  const bytes = storedRows.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  const size = { rows: storedRows.length, bytes };
  const rows = (kinds: readonly string[]) => storedRows.filter(({ kind }) => kinds.includes(kind));
  return openCatalog(
    packCatalog({ revision: 1, size, rows }, () => {}, { locales: ["en", "fr", "ja"], metafields: [] }),
  );
}

const mugProduct = buildProduct({
  id: "2",
  handle: "mug",
  title: "Mug",
  variants: [buildVariant({ id: "21", title: "Default Title", options: [], price: 900, inventoryQuantity: 0 })],
  options: [],
  images: [],
  translations: {},
});

const emptyIndex: SearchIndex = {
  search: () => new Map(),
  matches: () => new Uint32Array(0),
  complete: () => [],
  findsExactly: () => false,
  explain: () => undefined,
};
