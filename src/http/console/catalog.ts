import type { Product, Variant } from "../../catalog/product.ts";
import { isProductAvailable } from "../../catalog/stock.ts";
import { searchPage } from "../../predictive-search/search-page.ts";
import { formatMoney } from "../../pricing/money.ts";
import { Problem } from "../../problem.ts";
import { addSize } from "../../theme/filters/images/image-url.ts";
import { type ConsolePage, type ConsoleShop, type ConsoleVisit, formatCount, limitFieldText } from "./console-page.ts";
import { type Markup, markup } from "./markup.ts";

/** Number of products on a page. */
const PRODUCTS_PER_PAGE = 30;

/** Renders `GET /admin/products`: the products of the store, found by the storefront search. */
export async function showProductList(shop: ConsoleShop, { request }: ConsoleVisit): Promise<ConsolePage> {
  const { catalog, index } = shop.snapshot();
  const q = limitFieldText(request.query.get("q"), 256);
  const page = Math.min(pageOf(request.query.get("page")), MAX_PAGES);
  const context = { catalog, index, locale: shop.config.locales.default, now: request.now, typoTolerance: true };
  const numbers = catalog.numbers("product");
  const offset = (page - 1) * PRODUCTS_PER_PAGE;
  const results =
    q === ""
      ? {
          total: numbers.length,
          entries: [...numbers.subarray(offset, offset + PRODUCTS_PER_PAGE)].map((number) => catalog.entry(number)),
        }
      : searchPage({ q, types: ["product"], page, perPage: PRODUCTS_PER_PAGE, unavailableProducts: "show" }, context);
  const products = results.entries.filter((entry) => entry?.kind === "product");
  const form = markup`<form action="/admin/products" class="panel row" role="search"><div class="grow"><label for="q">Search products</label><input id="q" name="q" type="search" value="${q}"></div><button>Search</button></form>`;
  const rows = products.map((product) => renderRow(shop, product));
  const list =
    rows.length > 0 &&
    markup`<table><thead><tr><th scope="col">Product</th><th scope="col">Handle</th><th scope="col">Type</th><th scope="col" class="number">Price</th><th scope="col" class="number">In stock</th></tr></thead><tbody>${rows}</tbody></table>`;
  const total = `${formatCount(results.total)} ${results.total === 1 ? "product" : "products"}`;
  return {
    title: "Products",
    body: markup`${form}<p role="status">${total}</p>${list}${renderPagination(q, page, results.total)}`,
  };
}

/** Renders `GET /admin/products/<handle>`: one product. */
export async function showProductDetails(shop: ConsoleShop, { request }: ConsoleVisit): Promise<ConsolePage> {
  const { catalog } = shop.snapshot();
  const product = catalog.product(request.params.handle ?? "");
  if (product === undefined) throw new Problem("not_found", "No product has this handle.");
  const detailRows: readonly (readonly [string, string])[] = [
    ["Handle", product.handle],
    ["ID", product.id],
    ["Vendor", product.vendor],
    ["Product type", product.productType],
    ["Tags", product.tags.join(", ")],
    ["Collections", catalog.collectionsOf(product.handle).join(", ")],
    ["Popularity", product.popularity.toFixed(2)],
    ["Languages", [shop.config.locales.default, ...Object.keys(product.translations)].join(", ")],
  ];
  const details = detailRows
    .filter(([, value]) => value !== "")
    .map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  const image = product.images[0];
  const thumbnail =
    image && markup`<img src="${addSize(image.src, { width: 320 })}" alt="${image.alt ?? ""}" width="160">`;
  const variants = product.variants.map(
    (variant) =>
      markup`<tr><th scope="row">${variant.title}</th><td>${variant.id}</td><td>${variant.sku ?? ""}</td><td class="number">${formatMoney(variant.price, shop.config.currency, "en")}</td><td class="number">${stockOf(variant)}</td></tr>`,
  );
  return {
    title: product.title,
    body: markup`<div class="row">${thumbnail}<dl class="facts grow">${details}</dl></div>
<table><caption>Variants</caption><thead><tr><th scope="col">Variant</th><th scope="col">ID</th><th scope="col">SKU</th><th scope="col" class="number">Price</th><th scope="col" class="number">In stock</th></tr></thead><tbody>${variants}</tbody></table>
<p><a href="/products/${encodeURIComponent(product.handle)}">View in store</a> · <a href="/admin/try?q=${encodeURIComponent(product.title)}">Search for this product</a></p>`,
  };
}

const MAX_PAGES = 100_000;

function pageOf(text: string | null): number {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}

function renderRow({ config }: ConsoleShop, product: Product): Markup {
  const prices = product.variants.map(({ price }) => price);
  const quantities = product.variants.flatMap(({ inventoryQuantity }) => inventoryQuantity ?? []);
  const stock =
    quantities.length === 0 ? "Not tracked" : formatCount(quantities.reduce((sum, quantity) => sum + quantity, 0));
  return markup`<tr><th scope="row"><a href="/admin/products/${encodeURIComponent(product.handle)}">${product.title}</a></th><td>${product.handle}</td><td>${product.productType}</td><td class="number">${formatMoney(Math.min(...prices), config.currency, "en")}</td><td class="number">${stock}${!isProductAvailable(product) && markup` <span class="badge">Sold out</span>`}</td></tr>`;
}

function stockOf({ inventoryQuantity, inventoryPolicy }: Variant): string {
  if (inventoryQuantity === undefined) return "Not tracked";
  return formatCount(inventoryQuantity) + (inventoryPolicy === "continue" ? " (continue selling)" : "");
}

function renderPagination(q: string, page: number, total: number): Markup | false {
  const lastPage = Math.ceil(total / PRODUCTS_PER_PAGE);
  const renderLink = (to: number, text: string): Markup =>
    markup`<a href="/admin/products?q=${encodeURIComponent(q)}&amp;page=${to}">${text}</a>`;
  return (
    lastPage > 1 &&
    markup`<nav aria-label="Pages" class="row">${page > 1 && renderLink(page - 1, "Previous")}<span class="muted">Page ${formatCount(page)} of ${formatCount(lastPage)}</span>${page < lastPage && renderLink(page + 1, "Next")}</nav>`
  );
}
