import type { PricedCart } from "../../cart/priced-cart.ts";
import { createImageView } from "../../catalog/presenters/presenter.ts";
import type { CompiledTheme } from "../files/compiled-theme.ts";
import { SafeHtml } from "../liquid/safe-html.ts";
import { cartObject } from "../objects/cart/cart.ts";
import { customerObject } from "../objects/cart/customer.ts";
import { linkListsObject } from "../objects/content/link-list.ts";
import { metaobjectsObject } from "../objects/content/metaobject.ts";
import { imageObject } from "../objects/image.ts";
import {
  allProductsObject,
  articlesObject,
  blogsObject,
  bundlesObject,
  collectionsObject,
  pagesObject,
} from "../objects/lookups.ts";
import { predictiveSearchObject, recommendationsObject } from "../objects/search/predictive-search.ts";
import { createSearch, searchObject } from "../objects/search/search.ts";
import { closestObject } from "../objects/settings/closest.ts";
import { settingsObject } from "../objects/settings/settings.ts";
import { renderCountries } from "../objects/shop/country.ts";
import { localizationObject, requestObject } from "../objects/shop/language.ts";
import { routesObject, shopObject, themeObject } from "../objects/shop/shop.ts";
import { TemplateName } from "../objects/shop/template-name.ts";
import { Lookup } from "../objects/template-object.ts";
import { bindGlobals, Globals } from "../render-state.ts";
import { getCanonicalUrl, parsePageNumber, type View } from "../view.ts";
import { renderHeadContent } from "./head-content.ts";
import type { PageContext } from "./page-context.ts";

/** Data from which the global variables of a render are computed. */
interface GlobalsData {
  readonly view: View;
  readonly theme: CompiledTheme;
  readonly page: PageContext;
  /** The cart. Undefined if no rendered file contains the variable `cart`. */
  readonly cart: PricedCart | undefined;
}

/**
 * Creates the global variables of all templates.  @param cart undefined if no rendered file contains the variable
 * `cart`
 */
export function createGlobals(view: View, theme: CompiledTheme, page: PageContext, cart?: PricedCart): Globals {
  const subject: GlobalsData = { view, theme, page, cart };
  const globals: Globals = new Globals((name) => {
    const reader = readers.get(name);
    if (reader === undefined) return undefined;
    if (name === "closest") return closestObject(globals);
    const pageObject = page.objects.get(name);
    return pageObject === undefined ? reader.readValue(subject) : pageObject();
  }, isGlobal);
  bindGlobals(view, globals);
  return globals;
}

/** Returns whether a global variable with this name can exist. */
export function isGlobal(name: string): boolean {
  return readers.has(name);
}

/**
 * Returns the type of each global variable: "" for a plain value, "product[]" for a list of products, "{product}" for
 * an object in which each field is a product.
 */
export function listGlobalTypes(): ReadonlyMap<string, string> {
  return new Map([...readers].map(([name, { type }]) => [name, type]));
}

interface Reader {
  readonly type: string;
  readonly readValue: (subject: GlobalsData) => unknown;
}

const getUndefined = (): undefined => undefined;
const getEmptyText = (): string => "";

/** Type of each variable, and the function that computes it. The types are declared in the folder `objects/`. */
const readers: ReadonlyMap<string, Reader> = new Map(
  (
    [
      ["shop", "shop", ({ view }) => shopObject(view)],
      ["request", "request", ({ view, page }) => requestObject(view, page.type)],
      ["routes", "routes", ({ view }) => routesObject(view)],
      ["localization", "localization", ({ view }) => localizationObject(view)],
      ["settings", "settings", ({ view, theme }) => settingsObject(view, theme.settings, theme.values)],
      ["linklists", "{linklist}", ({ view }) => linkListsObject(view)],
      ["collections", "{collection}", ({ view }) => collectionsObject(view)],
      ["all_products", "{product}", ({ view }) => allProductsObject(view)],
      ["pages", "{page}", ({ view }) => pagesObject(view)],
      ["blogs", "{blog}", ({ view }) => blogsObject(view)],
      ["articles", "{article}", ({ view }) => articlesObject(view)],
      ["bundles", "{bundle}", ({ view }) => bundlesObject(view)],
      [
        "images",
        "{image}",
        () => new Lookup((name) => imageObject(createImageView({ src: `/media/${encodeURIComponent(name)}` }, ""))),
      ],
      ["predictive_search", "predictive_search", ({ view }) => predictiveSearchObject(view)],
      ["search", "search", ({ view, page }) => searchObject(view, page.search ?? createSearch(view))],
      ["recommendations", "recommendations", ({ view }) => recommendationsObject(view)],
      ["customer", "customer", ({ view }) => customerObject(view)],
      ["cart", "cart", ({ view, cart }) => (cart === undefined ? undefined : cartObject(view, cart))],
      ["theme", "theme", ({ theme }) => themeObject(theme)],
      ["template", "template", ({ page }) => new TemplateName(page.template)],
      ["canonical_url", "", ({ view }) => getCanonicalUrl(view)],
      ["page_title", "", ({ page }) => page.title],
      ["page_description", "", ({ page }) => page.description?.()],
      ["page_image", "image", ({ page }) => page.image?.()],
      ["handle", "", ({ page }) => page.handle],
      ["current_page", "", ({ view }) => parsePageNumber(view)],
      ["current_tags", "", ({ page }) => page.tags?.()],
      ["content_for_header", "", ({ view, theme }) => renderHeadContent(view, theme)],
      ["powered_by_link", "", () => new SafeHtml("", "")],
      ["country_option_tags", "", ({ view }) => renderCountries(view)],
      ["all_country_option_tags", "", ({ view }) => renderCountries(view)],
      ["additional_checkout_buttons", "", () => false],
      ["content_for_additional_checkout_buttons", "", getEmptyText],
      ["scripts", "", () => ({})],
      ["metaobjects", "settings", ({ view }) => metaobjectsObject(view)],
      ["closest", "settings", getUndefined],
      // Variables that exist only on some pages, or only inside a section or layout.
      ...(
        [
          ["product", "product"],
          ["product_variant", "variant"],
          ["collection", "collection"],
          ["page", "page"],
          ["blog", "blog"],
          ["article", "article"],
          ["bundle", "bundle"],
          ["checkout", "cart"],
          ["order_form", "order_form"],
          ["order", "order"],
          ["section", "section"],
          ["block", "block"],
          ["gift_card", "gift_card"],
          ["policy", "policy"],
          ["content_for_layout", ""],
          ["content_for_index", ""],
        ] as const
      ).map(([name, type]) => [name, type, getUndefined] as const),
    ] as readonly (readonly [name: string, type: string, readValue: Reader["readValue"]])[]
  ).map(([name, type, readValue]) => [name, { type, readValue }]),
);
