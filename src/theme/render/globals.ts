import type { PricedCart } from "../../cart/priced-cart.ts";
import { createImageView } from "../../catalog/presenters/presenter.ts";
import type { CompiledTheme } from "../files/compiled-theme.ts";
import { SafeHtml } from "../liquid/safe-html.ts";
import { createCartObject } from "../objects/cart/cart.ts";
import { createCustomerObject } from "../objects/cart/customer.ts";
import { createLinkListsObject } from "../objects/content/link-list.ts";
import { createMetaobjectsObject } from "../objects/content/metaobject.ts";
import { createImageObject } from "../objects/image.ts";
import {
  createBlogsObject,
  createBundlesObject,
  createCollectionsObject,
  createLookup,
  createPagesObject,
  findArticle,
  findProductByHandle,
} from "../objects/lookups.ts";
import { predictiveSearchType, recommendationsType } from "../objects/search/predictive-search.ts";
import { createSearch, createSearchObject } from "../objects/search/search.ts";
import { createClosestObject } from "../objects/settings/closest.ts";
import { createSettingsObject } from "../objects/settings/settings.ts";
import { renderCountries } from "../objects/shop/country.ts";
import { localizationType, requestType } from "../objects/shop/language.ts";
import { robotsType } from "../objects/shop/robots.ts";
import { routesType, shopType, themeType } from "../objects/shop/shop.ts";
import { TemplateName } from "../objects/shop/template-name.ts";
import { Lookup, TemplateObject } from "../objects/template-object.ts";
import { Globals } from "../render-state.ts";
import { createRobotsRules } from "../robots.ts";
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
    if (name === "closest") return createClosestObject(globals);
    const pageObject = page.objects.get(name);
    return pageObject === undefined ? reader.readValue(subject) : pageObject();
  }, isGlobal);
  // Template objects read them there.
  view.variables.globals = globals;
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

interface GlobalReader {
  readonly type: string;
  readonly readValue: (subject: GlobalsData) => unknown;
}

const getUndefined = (): undefined => undefined;
const getEmptyText = (): string => "";

/** Type of each variable, and the function that computes it. The types are declared in the folder `objects/`. */
const readers: ReadonlyMap<string, GlobalReader> = new Map(
  (
    [
      ["shop", "shop", ({ view }) => new TemplateObject(shopType, view)],
      ["request", "request", ({ view, page }) => new TemplateObject(requestType, { view, pageType: page.type })],
      ["routes", "routes", ({ view }) => new TemplateObject(routesType, view)],
      [
        "robots",
        "robots",
        ({ view }) => new TemplateObject(robotsType, createRobotsRules(view.config, view.request.origin)),
      ],
      ["localization", "localization", ({ view }) => new TemplateObject(localizationType, view)],
      ["settings", "settings", ({ view, theme }) => createSettingsObject(view, theme.settings, theme.values)],
      ["linklists", "{linklist}", ({ view }) => createLinkListsObject(view)],
      ["collections", "{collection}", ({ view }) => createCollectionsObject(view)],
      ["all_products", "{product}", ({ view }) => createLookup(view, (handle) => findProductByHandle(view, handle))],
      ["pages", "{page}", ({ view }) => createPagesObject(view)],
      ["blogs", "{blog}", ({ view }) => createBlogsObject(view)],
      ["articles", "{article}", ({ view }) => createLookup(view, (path) => findArticle(view, path))],
      ["bundles", "{bundle}", ({ view }) => createBundlesObject(view)],
      [
        "images",
        "{image}",
        ({ view }) =>
          new Lookup((name) =>
            name !== "" && view.hasMedia(name)
              ? createImageObject(createImageView({ src: `/media/${encodeURIComponent(name)}` }, ""))
              : undefined,
          ),
      ],
      [
        "predictive_search",
        "predictive_search",
        ({ view }) => new TemplateObject(predictiveSearchType, { view, result: view.request.predictiveSearch }),
      ],
      ["search", "search", ({ view }) => createSearchObject(view, createSearch(view))],
      ["recommendations", "recommendations", ({ view }) => new TemplateObject(recommendationsType, view)],
      ["customer", "customer", ({ view }) => createCustomerObject(view)],
      ["cart", "cart", ({ view, cart }) => (cart === undefined ? undefined : createCartObject(view, cart))],
      ["theme", "theme", ({ theme }) => new TemplateObject(themeType, theme)],
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
      ["metaobjects", "settings", ({ view }) => createMetaobjectsObject(view)],
      ["closest", "settings", getUndefined],
      // Variables that exist only on some pages, or only inside a section or layout.
      ...(
        [
          ["product", "product"],
          ["product_variant", "variant"],
          ["collection", "collection"],
          ["products", "product[]"],
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
    ] as readonly (readonly [name: string, type: string, readValue: GlobalReader["readValue"]])[]
  ).map(([name, type, readValue]) => [name, { type, readValue }]),
);
