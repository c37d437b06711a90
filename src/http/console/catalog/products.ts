import { readEntries } from "../../../catalog/catalog.ts";
import { isProductAvailable } from "../../../catalog/stock.ts";
import type { ConsoleMessageKey } from "../../../console/console-messages.ts";
import { findSearchPage } from "../../../predictive-search/search-page.ts";
import { Problem } from "../../../problem.ts";
import { awaitIndex, awaitWithDeadline } from "../../deadline.ts";
import { parseCount, readPage } from "../../read-page.ts";
import type { StoreRequest } from "../../wire/request.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  type FormVisit,
  limitFieldText,
  parseNumber,
  renderForm,
  renderRejection,
} from "../console-page.ts";
import { requireScope } from "../console-session.ts";
import { type ConsoleTexts, explainScope, renderNotice, renderPageLinks } from "../console-texts.ts";
import { type Markup, type MarkupValue, markup, renderOptions, renderSelect } from "../markup.ts";
import {
  type AppliedEdits,
  applyEdits,
  type EditableProduct,
  type ProductEdit,
  toEditableProducts,
} from "./variant-edits.ts";
import { entriesOf, readRevisions, readVariantTable, renderRevisions, renderVariantTable } from "./variant-table.ts";

/** Number of products on a page. */
const PRODUCTS_PER_PAGE = 30;

/** Handles `POST /admin/products`: saves the table of prices and stock, or publishes or unpublishes products. */
export async function changeProducts(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const { form, request } = visit;
  const query = new URLSearchParams(request.query);
  return applyForm(shop, visit, {
    ids: [...readRevisions(form).keys()],
    renderPage: (alert, submittedForm) => showProductList(shop, visit, alert, submittedForm),
    nextPath: (outcome) => {
      query.set("done", outcome);
      return `/admin/products?${query}`;
    },
  });
}

export const productNotices: ReadonlyMap<string, ConsoleMessageKey> = new Map([
  ["save", "notices.saved"],
  ["publish", "product.publishDone"],
  ["unpublish", "product.unpublishDone"],
  ["nothing", "product.nothingDone"],
]);

interface FormTarget {
  /** Ids of the products in the form. */
  readonly ids: readonly string[];
  readonly renderPage: (alert: Markup, submittedForm?: Readonly<Record<string, unknown>>) => Promise<ConsolePage>;
  readonly nextPath: (outcome: string) => string;
}

/**
 * Applies the operation of a product form: "save", "publish", or "unpublish".
 * @returns the path of the next page, or the page with an error
 */
export async function applyForm(
  shop: ConsoleServices,
  visit: FormVisit,
  { ids, renderPage, nextPath }: FormTarget,
): Promise<ConsolePage | string> {
  const { form, session, texts } = visit;
  const operation = String(form.operation);
  if (!["save", "publish", "unpublish"].includes(operation)) throw new Problem("bad_request", "Unknown operation.");
  if (operation !== "save") requireScope(session, "catalog:write");
  const renderError = (error: unknown): Promise<ConsolePage> => {
    const message = texts.get("product.outdated");
    const isOutdated = error instanceof Problem && (error.code === "catalog_changed" || error.code === "stock_changed");
    return renderRejection(texts, error, (alert) => renderPage(alert, isOutdated ? undefined : form), {
      catalog_changed: message,
      stock_changed: message,
    });
  };
  try {
    const products = await findProducts(shop, "id", ids);
    const edits =
      operation === "save"
        ? readVariantTable(form, products, shop.config.currency, texts.language)
        : readSelectedEdits(form, products, operation === "publish");
    const appliedEdits: AppliedEdits = await applyEdits(shop, visit, edits);
    if (appliedEdits.stockProblem !== undefined) return await renderError(appliedEdits.stockProblem);
    // The next page lists products from the index.
    await awaitIndex(() => {
      const { catalog } = shop.snapshot();
      return edits.every(
        ({ target, published }) =>
          published === undefined || published === (catalog.productById(target.product.id) !== undefined),
      );
    });
    return nextPath(appliedEdits.productCount + appliedEdits.stockLevelCount === 0 ? "nothing" : operation);
  } catch (error) {
    return renderError(error);
  }
}

function readSelectedEdits(
  form: Readonly<Record<string, unknown>>,
  products: readonly EditableProduct[],
  mustPublish: boolean,
): readonly ProductEdit[] {
  const revisions = readRevisions(form);
  const selected = new Set(entriesOf(form.product).flatMap(({ id, selected }) => (selected === undefined ? [] : [id])));
  return products.flatMap(({ product }) => {
    const revision = revisions.get(product.id);
    return revision === undefined || !selected.has(product.id) || product.published === mustPublish
      ? []
      : [{ target: { product, revision }, published: mustPublish, variants: [] }];
  });
}

/** Reads stored products, published or not, in the order of the keys. */
export async function findProducts(
  shop: ConsoleServices,
  column: "id" | "handle",
  keys: readonly string[],
): Promise<readonly EditableProduct[]> {
  const rows = await awaitWithDeadline(shop.management.records.find("product", column, keys));
  const products = new Map(
    (await toEditableProducts(shop, rows)).map((entry) => [entry.product[column], entry] as const),
  );
  return keys.flatMap((key) => products.get(key) ?? []);
}

interface ProductPage {
  readonly products: readonly EditableProduct[];
  readonly total?: number;
  /** Query parameters of the previous and the next page. */
  readonly previous?: Readonly<Record<string, string>>;
  readonly next?: Readonly<Record<string, string>>;
}

async function findPage(shop: ConsoleServices, { query, now }: StoreRequest): Promise<ProductPage> {
  if (query.get("status") === "unpublished") {
    const after = parseNumber(query.get("after"));
    const { items, lastItem } = await readPage(PRODUCTS_PER_PAGE, (limit) =>
      shop.management.records.list("product", { isPublished: false, after, limit }),
    );
    return {
      products: await toEditableProducts(shop, items),
      ...(lastItem && { next: { after: String(lastItem.position) } }),
    };
  }
  const { catalog, index } = shop.snapshot();
  const q = limitFieldText(query.get("q"), 256);
  const page = Math.min(parseCount(query.get("page")) ?? 1, MAX_PAGES);
  const context = { catalog, index, locale: shop.config.locales.default, now, typoTolerance: true };
  const numbers = catalog.numbers("product");
  const offset = (page - 1) * PRODUCTS_PER_PAGE;
  const { total, entries } =
    q === ""
      ? {
          total: numbers.length,
          entries: [...readEntries(catalog, "product", numbers.subarray(offset, offset + PRODUCTS_PER_PAGE))],
        }
      : findSearchPage(
          { q, types: ["product"], page, perPage: PRODUCTS_PER_PAGE, unavailableProducts: "show" },
          context,
        );
  const ids = entries.map(({ id }) => id);
  return {
    products: (await findProducts(shop, "id", ids)).filter(({ product }) => product.published),
    total,
    ...(page > 1 ? { previous: { page: String(page - 1) } } : {}),
    ...(offset + PRODUCTS_PER_PAGE < total ? { next: { page: String(page + 1) } } : {}),
  };
}

/** Renders `GET /admin/products`: the products of the store, as a list or as a table of prices and stock to edit. */
export async function showProductList(
  shop: ConsoleServices,
  { request, session, texts }: ConsoleVisit,
  notice: MarkupValue = renderNotice(texts, productNotices.get(request.query.get("done") ?? "")),
  submittedForm: Readonly<Record<string, unknown>> = {},
): Promise<ConsolePage> {
  const { query } = request;
  const page = await findPage(shop, request);
  const isTableView = query.get("view") === "edit";
  const filters = {
    q: limitFieldText(query.get("q"), 256),
    status: query.get("status") === "unpublished" ? "unpublished" : "published",
    ...(isTableView ? { view: "edit" } : {}),
  };
  const formatLink = (parameters: Readonly<Record<string, string>>): string =>
    `/admin/products?${new URLSearchParams({ ...filters, ...parameters })}`;
  const linkParams = { ...filters, page: query.get("page") ?? "1", after: query.get("after") ?? "" };
  const action = `/admin/products?${new URLSearchParams(linkParams)}`;
  const canEdit = session.token.scopes.includes("catalog:write") || session.token.scopes.includes("stock:write");
  const content = isTableView
    ? renderVariantTable(texts, page.products, {
        currency: shop.config.currency,
        rejectedFields: submittedForm,
        hasProducts: true,
        scopes: session.token.scopes,
      })
    : renderList(shop, texts, page.products);
  const buttons = isTableView
    ? markup`<p><button name="operation" value="save">${texts.get("actions.save")}</button></p>`
    : markup`<p class="row"><button class="plain" name="operation" value="publish">${texts.get("product.publishSelected")}</button><button class="plain" name="operation" value="unpublish">${texts.get("product.unpublishSelected")}</button></p>`;
  const list =
    page.products.length === 0
      ? markup`<p class="muted" role="status">${texts.get("product.none")}</p>`
      : canEdit
        ? renderForm(session, action, [content, buttons])
        : markup`${content}<p class="muted">${explainScope(texts, "catalog:write")}</p>`;
  const total =
    page.total !== undefined &&
    page.products.length > 0 &&
    markup`<p role="status">${texts.get("product.count", { count: page.total })}</p>`;
  const viewLinks = markup`<nav aria-label="${texts.get("product.view")}"><ul class="choice"><li><a href="${formatLink({ view: "list" })}"${!isTableView && markup` aria-current="true"`}>${texts.get("nav.products")}</a></li><li><a href="${formatLink({ view: "edit" })}"${isTableView && markup` aria-current="true"`}>${texts.get("labels.stockAndPrices")}</a></li><li><a href="/admin/csv">${texts.get("csv.file")}</a></li><li><a href="/admin/changes">${texts.get("labels.changes")}</a></li></ul></nav>`;
  const pageLinks = renderPageLinks(texts, {
    previous: page.previous && formatLink(page.previous),
    next: page.next && formatLink(page.next),
  });
  return {
    title: texts.get(isTableView ? "labels.stockAndPrices" : "nav.products"),
    body: markup`${notice}${viewLinks}${renderSearchForm(texts, filters)}${total}${list}${pageLinks}`,
  };
}

function renderSearchForm(
  texts: ConsoleTexts,
  { q, status, view }: { readonly q: string; readonly status: string; readonly view?: string },
): Markup {
  const options = renderOptions(
    [
      ["published", texts.get("labels.published")],
      ["unpublished", texts.get("labels.notPublished")],
    ],
    status,
  );
  return markup`<form action="/admin/products" class="panel row" role="search">${view !== undefined && markup`<input type="hidden" name="view" value="${view}">`}<div class="grow"><label for="q">${texts.get("product.search")}</label><input id="q" name="q" type="search" value="${q}"></div>${renderSelect("status", texts.get("labels.status"), options)}<button>${texts.get("actions.search")}</button></form>`;
}

function renderList({ config }: ConsoleServices, texts: ConsoleTexts, products: readonly EditableProduct[]): Markup {
  const rows = products.map(({ product, quantities }, index) => {
    const prices = product.variants.map(({ price }) => price);
    const stock =
      quantities.size === 0
        ? texts.get("labels.notTracked")
        : texts.formatNumber([...quantities.values()].reduce((sum, units) => sum + units, 0));
    const isAvailable = isProductAvailable({
      ...product,
      variants: product.variants.map((variant) => {
        const quantity = quantities.get(variant.id);
        return quantity === undefined ? variant : { ...variant, inventoryQuantity: quantity };
      }),
    });
    return markup`<tr><td><input type="checkbox" name="product[${index}][selected]" value="yes" aria-label="${texts.get("product.selectOne", { title: product.title })}"></td><th scope="row"><a href="/admin/products/${encodeURIComponent(product.handle)}"><bdi>${product.title}</bdi></a></th><td class="minor"><bdi>${product.productType}</bdi></td><td class="number">${texts.formatMoney(Math.min(...prices), config.currency)}</td><td class="number">${stock}${!isAvailable && markup` <span class="badge">${texts.get("facets.soldOut")}</span>`}</td></tr>`;
  });
  return markup`${renderRevisions(products)}<table class="entries selectable"><thead><tr><th scope="col"><span class="hidden">${texts.get("actions.select")}</span></th><th scope="col">${texts.get("labels.product")}</th><th scope="col" class="minor">${texts.get("labels.type")}</th><th scope="col" class="number">${texts.get("facets.price")}</th><th scope="col" class="number">${texts.get("facets.inStock")}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

const MAX_PAGES = 100_000;
