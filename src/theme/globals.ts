import type { PricedCart } from "../cart/priced-cart.ts";
import type { CompiledTheme } from "./compiled-theme.ts";
import { cartObject } from "./objects/cart.ts";
import { customerObject } from "./objects/customer.ts";
import { linkListsObject } from "./objects/link-list.ts";
import { allProductsObject, blogsObject, bundlesObject, collectionsObject, pagesObject } from "./objects/look-ups.ts";
import { predictiveSearchObject } from "./objects/predictive-search.ts";
import { createSearch, searchObject } from "./objects/search.ts";
import { settingsObject } from "./objects/settings.ts";
import { localizationObject, requestObject, routesObject, shopObject } from "./objects/shop.ts";
import { TemplateName } from "./objects/template-name.ts";
import type { PageContext } from "./page-context.ts";
import { Globals } from "./render-state.ts";
import { escapeHtml, SafeHtml } from "./safe-html.ts";
import { localPath, type View } from "./view.ts";

/** The variables that every template sees. @param cart absent: nothing that is rendered names it */
export function createGlobals(view: View, theme: CompiledTheme, page: PageContext, cart?: PricedCart): Globals {
  return new Globals([
    ["shop", () => shopObject(view)],
    ["request", () => requestObject(view, page.type)],
    ["routes", () => routesObject(view)],
    ["localization", () => localizationObject(view)],
    ["settings", () => settingsObject(view, theme.settings, theme.values)],
    ["linklists", () => linkListsObject(view)],
    ["collections", () => collectionsObject(view)],
    ["all_products", () => allProductsObject(view)],
    ["pages", () => pagesObject(view)],
    ["blogs", () => blogsObject(view)],
    ["bundles", () => bundlesObject(view)],
    ["predictive_search", () => predictiveSearchObject(view)],
    ["search", () => searchObject(view, page.search ?? createSearch(view))],
    ["customer", () => customerObject(view.request.customer)],
    ["cart", () => (cart === undefined ? undefined : cartObject(view, cart))],
    ["template", () => new TemplateName(page.template)],
    ["canonical_url", () => canonicalAddress(view)],
    ["page_title", () => page.title],
    ["page_description", () => undefined],
    ["handle", () => page.handle],
    ["current_page", () => Number(/^[1-9]\d{0,6}$/.exec(view.query.get("page") ?? "")?.[0] ?? 1)],
    ["content_for_header", () => headContent(view)],
    ...page.objects,
  ]);
}

/** The address search engines should keep: without the query, but for the number of a list's page. */
function canonicalAddress(view: View): string {
  const page = /^[1-9]\d{0,6}$/.exec(view.query.get("page") ?? "")?.[0];
  const path = view.request.origin + localPath(view, view.path);
  return page === undefined || page === "1" ? path : `${path}?page=${page}`;
}

/** What the server needs in a page's head; no inline script or style is in it. */
function headContent(view: View): SafeHtml {
  const { csrfToken } = view.request;
  const token = csrfToken === undefined ? "" : `<meta name="csrf-token" content="${escapeHtml(csrfToken)}">\n`;
  const html = `${token}<link rel="canonical" href="${escapeHtml(canonicalAddress(view))}">`;
  return new SafeHtml(html, html);
}
