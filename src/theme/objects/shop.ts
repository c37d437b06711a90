import { formatMoney } from "../../pricing/money.ts";
import { localPath, pageAddress, shownQuery, type View } from "../view.ts";
import { objectType, TemplateObject } from "./template-object.ts";

/** The currency's signs in the render's language. */
export function currencyObject(view: View): Readonly<Record<string, unknown>> {
  const code = view.config.currency;
  const names = new Intl.DisplayNames([view.request.locale], { type: "currency" });
  const symbol = formatMoney(0, code, view.request.locale).replace(/[\d.,\s\u00a0\u202f]/g, "");
  return { iso_code: code, symbol, name: names.of(code) ?? code };
}

export function shopObject(view: View): TemplateObject<View> {
  return new TemplateObject(shopType, view);
}

export function requestObject(view: View, pageType: string): TemplateObject<{ view: View; pageType: string }> {
  return new TemplateObject(requestType, { view, pageType });
}

export function localizationObject(view: View): TemplateObject<View> {
  return new TemplateObject(localizationType, view);
}

/** Every path a theme needs, with the prefix of the render's language. @see spec 1 */
export function routesObject(view: View): TemplateObject<View> {
  return new TemplateObject(routesType, view);
}

const shopType = objectType<View>(
  "shop",
  {
    name: (view) => view.config.name,
    url: (view) => view.request.origin,
    secure_url: (view) => view.request.origin,
    domain: (view) => view.request.origin.replace(/^\w+:\/\//, ""),
    currency: (view) => view.config.currency,
    locale: (view) => view.request.locale,
    money_format: (view) => formatMoney(0, view.config.currency, view.request.locale),
    description: (view) => view.translate("shop.description")?.text,
  },
  {
    customer_accounts_enabled: () => false,
    products_count: (view) => view.request.catalog.numbers("product").length,
    collections_count: (view) => view.request.catalog.numbers("collection").length,
    published_locales: (view) => languages(view),
    policies: () => [],
    enabled_payment_types: () => [],
  },
);

const requestType = objectType<{ readonly view: View; readonly pageType: string }>("request", {
  page_type: ({ pageType }) => pageType,
  path: ({ view }) => localPath(view, view.path),
  origin: ({ view }) => view.request.origin,
  host: ({ view }) => view.request.origin.replace(/^\w+:\/\//, ""),
  locale: ({ view }) => language(view, view.request.locale),
  design_mode: () => false,
  visual_preview_mode: () => false,
});

const localizationType = objectType<View>("localization", {
  language: (view) => language(view, view.request.locale),
  available_languages: (view) => languages(view),
  country: (view) => ({ iso_code: "", name: "", currency: currencyObject(view) }),
  available_countries: () => [],
});

const routesType = objectType<View>("routes", {
  root_url: (view) => localPath(view, "/"),
  cart_url: (view) => localPath(view, "/cart"),
  cart_add_url: (view) => localPath(view, "/cart/add"),
  cart_change_url: (view) => localPath(view, "/cart/change"),
  cart_update_url: (view) => localPath(view, "/cart/update"),
  cart_clear_url: (view) => localPath(view, "/cart/clear"),
  search_url: (view) => localPath(view, "/search"),
  predictive_search_url: (view) => localPath(view, "/search/suggest"),
  collections_url: (view) => localPath(view, "/collections"),
  all_products_collection_url: (view) => localPath(view, "/collections/all"),
  buy_now_url: () => "/api/cart/buyNowCheckout",
  csrf_url: () => "/api/csrf",
});

function languages(view: View): unknown[] {
  const { locales } = view.config;
  return [locales.default, ...locales.others].map((locale) => language(view, locale));
}

/** @returns `url`: the same page in that language */
function language(view: View, locale: string): Readonly<Record<string, unknown>> {
  const isPrimary = locale === view.config.locales.default;
  const prefix = isPrimary ? "" : `/${locale}`;
  const query = shownQuery(view).toString();
  const path = view.path === "/" && prefix !== "" ? prefix : prefix + view.path;
  return {
    iso_code: locale,
    name: languageName(locale, view.request.locale),
    endonym_name: languageName(locale, locale),
    primary: isPrimary,
    root_url: prefix === "" ? "/" : prefix,
    url: query === "" ? path : `${path}?${query}`,
    selected: locale === view.request.locale,
  };
}

function languageName(locale: string, reader: string): string {
  const name = new Intl.DisplayNames([reader], { type: "language" }).of(locale) ?? locale;
  return name.charAt(0).toLocaleUpperCase(reader) + name.slice(1);
}

/** Address of another page of a list on this page. */
export function pageNumberAddress(view: View, page: number): string {
  return pageAddress(view, "page", String(page));
}
