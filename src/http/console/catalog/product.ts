import { Problem } from "../../../problem.ts";
import { addSize } from "../../../theme/filters/images/image-url.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  type FormVisit,
  renderForm,
} from "../console-page.ts";
import { explainScope } from "../console-session.ts";
import { type Markup, markup } from "../markup.ts";
import { applyForm, findProducts, productNotices } from "./products.ts";
import type { EditableProduct } from "./variant-edits.ts";
import { renderRevisions, renderVariantTable } from "./variant-table.ts";

/** Renders `GET /admin/products/<handle>`: one product, with fields for prices and stock. */
export async function showProductDetails(shop: ConsoleServices, visit: ConsoleVisit): Promise<ConsolePage> {
  const notice = productNotices[visit.request.query.get("done") ?? ""];
  return renderProduct(shop, visit, notice && markup`<p class="done" role="status">${notice}</p>`);
}

/** Handles `POST /admin/products/<handle>`: saves prices and stock, or publishes or unpublishes the product. */
export async function changeProduct(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const { product } = await findProduct(shop, visit);
  return applyForm(shop, visit, {
    ids: [product.id],
    renderPage: (alert, submittedForm) => renderProduct(shop, visit, alert, submittedForm),
    nextPath: (outcome) => `/admin/products/${encodeURIComponent(product.handle)}?done=${outcome}`,
  });
}

async function findProduct(
  shop: ConsoleServices,
  { request }: Pick<ConsoleVisit, "request">,
): Promise<EditableProduct> {
  const [product] = await findProducts(shop, "handle", [request.params.handle ?? ""]);
  if (product === undefined) throw new Problem("not_found", "No product has this handle.");
  return product;
}

async function renderProduct(
  shop: ConsoleServices,
  visit: ConsoleVisit,
  notice?: Markup | string,
  submittedForm: Readonly<Record<string, unknown>> = {},
): Promise<ConsolePage> {
  const { config } = shop;
  const { session } = visit;
  const entry = await findProduct(shop, visit);
  const { product } = entry;
  const detailRows: readonly (readonly [string, string])[] = [
    ["Status", product.published ? "Published" : "Not published"],
    ["Handle", product.handle],
    ["ID", product.id],
    ["Vendor", product.vendor],
    ["Product type", product.productType],
    ["Tags", product.tags.join(", ")],
    ["Collections", shop.snapshot().catalog.collectionsOf(product.handle).join(", ")],
    ["Popularity", product.popularity.toFixed(2)],
    ["Languages", [config.locales.default, ...Object.keys(product.translations)].join(", ")],
  ];
  const details = detailRows
    .filter(([, value]) => value !== "")
    .map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  const image = product.images[0];
  const thumbnail =
    image && markup`<img src="${addSize(image.src, { width: 320 })}" alt="${image.alt ?? ""}" width="160">`;
  const path = `/admin/products/${encodeURIComponent(product.handle)}`;
  const { scopes } = session.token;
  const table = renderVariantTable([entry], {
    currency: config.currency,
    submitted: submittedForm,
    hasProducts: false,
    scopes,
  });
  const variants =
    scopes.includes("catalog:write") || scopes.includes("stock:write")
      ? renderForm(session, path, [table, markup`<p><button name="operation" value="save">Save changes</button></p>`])
      : markup`${table}<p class="muted">${explainScope("catalog:write")}</p>`;
  const operation = product.published ? "unpublish" : "publish";
  const publishingForm =
    scopes.includes("catalog:write") &&
    renderForm(session, path, [
      renderRevisions([entry]),
      markup`<input type="hidden" name="product[0][selected]" value="yes"><button class="plain" name="operation" value="${operation}">${product.published ? "Unpublish" : "Publish"}</button>`,
    ]);
  const storeLinks =
    product.published &&
    markup`<a href="/products/${encodeURIComponent(product.handle)}">View in store</a> · <a href="/admin/try?q=${encodeURIComponent(product.title)}">Search for this product</a> · `;
  return {
    title: product.title,
    body: markup`${notice}<div class="row">${thumbnail}<dl class="facts grow">${details}</dl></div>${publishingForm}<h2>Stock and prices</h2>${variants}
<p>${storeLinks}<a href="/admin/products">All products</a></p>`,
  };
}
