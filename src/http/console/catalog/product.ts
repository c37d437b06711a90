import type { ConsoleMessageKey } from "../../../console/console-messages.ts";
import { Problem } from "../../../problem.ts";
import { addImageSize } from "../../../theme/filters/images/image-url.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  type FormVisit,
  renderForm,
} from "../console-page.ts";
import { explainScope, renderNotice } from "../console-texts.ts";
import { type MarkupValue, markup, renderFacts } from "../markup.ts";
import { applyForm, findProducts, productNotices } from "./products.ts";
import type { EditableProduct } from "./variant-edits.ts";
import { renderRevisions, renderVariantTable } from "./variant-table.ts";

/** Handles `POST /admin/products/<handle>`: saves prices and stock, or publishes or unpublishes the product. */
export async function changeProduct(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const { product } = await findProduct(shop, visit);
  return applyForm(shop, visit, {
    ids: [product.id],
    renderPage: (alert, submittedForm) => showProductDetails(shop, visit, alert, submittedForm),
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

/** Renders `GET /admin/products/<handle>`: one product, with fields for prices and stock. */
export async function showProductDetails(
  shop: ConsoleServices,
  visit: ConsoleVisit,
  notice: MarkupValue = renderNotice(visit.texts, productNotices.get(visit.request.query.get("done") ?? "")),
  submittedForm: Readonly<Record<string, unknown>> = {},
): Promise<ConsolePage> {
  const { config } = shop;
  const { session, texts } = visit;
  const entry = await findProduct(shop, visit);
  const { product } = entry;
  const detailRows: readonly (readonly [ConsoleMessageKey, string])[] = [
    ["labels.status", texts.get(product.published ? "labels.published" : "labels.notPublished")],
    ["labels.handle", product.handle],
    ["order.id", product.id],
    ["facets.vendor", product.vendor],
    ["facets.productType", product.productType],
    ["facets.tag", product.tags.join(", ")],
    ["labels.collections", shop.snapshot().catalog.collectionsOf(product.handle).join(", ")],
    [
      "product.popularity",
      texts.formatNumber(product.popularity, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    ],
    ["product.languages", [config.locales.default, ...Object.keys(product.translations)].join(", ")],
  ];
  const details = renderFacts(
    detailRows.map(([name, value]) => [texts.get(name), value === "" ? undefined : markup`<bdi>${value}</bdi>`]),
  );
  const image = product.images[0];
  const thumbnail =
    image && markup`<img src="${addImageSize(image.src, { width: 320 })}" alt="${image.alt ?? ""}" width="160">`;
  const path = `/admin/products/${encodeURIComponent(product.handle)}`;
  const { scopes } = session.token;
  const table = renderVariantTable(texts, [entry], {
    currency: config.currency,
    rejectedFields: submittedForm,
    hasProducts: false,
    scopes,
  });
  const variants =
    scopes.includes("catalog:write") || scopes.includes("stock:write")
      ? renderForm(session, path, [
          table,
          markup`<p><button name="operation" value="save">${texts.get("actions.save")}</button></p>`,
        ])
      : markup`${table}<p class="muted">${explainScope(texts, "catalog:write")}</p>`;
  const operation = product.published ? "unpublish" : "publish";
  const publishingForm =
    scopes.includes("catalog:write") &&
    renderForm(session, path, [
      renderRevisions([entry]),
      markup`<input type="hidden" name="product[0][selected]" value="yes"><button class="plain" name="operation" value="${operation}">${texts.get(product.published ? "actions.unpublish" : "actions.publish")}</button>`,
    ]);
  const storeLinks =
    product.published &&
    markup`<a href="/products/${encodeURIComponent(product.handle)}">${texts.get("product.viewInStore")}</a> · <a href="/admin/try?q=${encodeURIComponent(product.title)}">${texts.get("product.searchFor")}</a> · `;
  return {
    title: product.title,
    body: markup`${notice}<div class="row">${thumbnail}<div class="grow">${details}</div></div>${publishingForm}<h2>${texts.get("labels.stockAndPrices")}</h2>${variants}
<p>${storeLinks}<a href="/admin/products">${texts.get("collections.all")}</a></p>`,
  };
}
