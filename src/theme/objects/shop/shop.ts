import type { Facets } from "../../../catalog/facets/facets.ts";
import { facetParams } from "../../../catalog/facets/filter-selection.ts";
import { createImageView } from "../../../catalog/presenters/presenter.ts";
import { getMinorUnit, listZeroParts } from "../../../pricing/money.ts";
import { getOrCreate, memoizePerObject } from "../../../runtime/cache.ts";
import type { CompiledTheme } from "../../files/compiled-theme.ts";
import { addPathPrefix, getHost, type View } from "../../view.ts";
import { addressType } from "../cart/address.ts";
import { includesTax } from "../cart/tax-line.ts";
import { listFacetValues } from "../collections/collection.ts";
import { createMetaobjectsObject } from "../content/metaobject.ts";
import { createPolicyObject, createPolicyObjects } from "../content/policy.ts";
import { createImageObject } from "../image.ts";
import { createMetafieldsObject, emptyMetafields } from "../metafields.ts";
import { listDefaultTypes } from "../search/search-context.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { currencyType } from "./country.ts";
import { createLanguageObjects } from "./shop-locale.ts";

/**
 * Returns the pattern with which theme scripts format prices: "${{amount}}", "{{amount_with_comma_separator}} €".
 * Scripts use the digits 0 to 9 in every language.
 */
export function getMoneyFormat({ config, request }: View): string {
  const parts = listZeroParts(config.currency, request.locale);
  const decimalMark = parts.find(({ type }) => type === "decimal")?.value;
  const amount = decimalMark === "," ? "{{amount_with_comma_separator}}" : "{{amount}}";
  return parts
    .map(({ type, value }) => {
      if (type === "integer") return getMinorUnit(config.currency) === 0 ? "{{amount_no_decimals}}" : amount;
      return type === "decimal" || type === "fraction" ? "" : value;
    })
    .join("");
}

export const shopType = createObjectType<View>(
  "shop",
  {
    id: () => 1,
    name: (view) => view.config.name,
    url: (view) => view.request.origin,
    secure_url: (view) => view.request.origin,
    domain: getHost,
    permanent_domain: getHost,
    currency: (view) => view.config.currency,
    locale: (view) => view.request.locale,
    money_format: getMoneyFormat,
    money_with_currency_format: (view) => `${getMoneyFormat(view)} ${view.config.currency}`,
    description: (view) => view.translate("shop.description")?.text,
  },
  {
    customer_accounts_enabled: ({ config }) => config.customers.accounts,
    customer_accounts_optional: ({ config }) => config.customers.accounts,
    accepts_gift_cards: () => false,
    taxes_included: ({ config }) => includesTax(config),
    products_count: (view) => view.request.catalog.numbers("product").length,
    collections_count: (view) => view.request.catalog.numbers("collection").length,
    published_locales: (view) => createLanguageObjects(view),
    enabled_locales: (view) => createLanguageObjects(view),
    enabled_currencies: (view) => [new TemplateObject(currencyType, view)],
    enabled_payment_types: ({ config }) => config.paymentTypes,
    types: (view) => listShopFacetValues(view, facetParams.productType),
    search_types: (view) => listDefaultTypes(view),
    vendors: (view) => listShopFacetValues(view, facetParams.vendor),
    email: ({ config }) => config.contact.email,
    phone: ({ config }) => config.contact.phone,
    address: (view) => createShopAddress(view),
    policies: (view) => createPolicyObjects(view),
    privacy_policy: (view) => createPolicyObject(view, "privacy-policy"),
    refund_policy: (view) => createPolicyObject(view, "refund-policy"),
    shipping_policy: (view) => createPolicyObject(view, "shipping-policy"),
    subscription_policy: (view) => createPolicyObject(view, "subscription-policy"),
    terms_of_service: (view) => createPolicyObject(view, "terms-of-service"),
    metaobjects: (view) => createMetaobjectsObject(view),
    brand: (view) => new TemplateObject(brandType, view),
    metafields: () => emptyMetafields,
  },
  {
    emptyFields: "password_message features checkout",
    fieldTypes: {
      published_locales: "shop_locale[]",
      enabled_locales: "shop_locale[]",
      enabled_currencies: "currency[]",
      policies: "policy[]",
      privacy_policy: "policy",
      refund_policy: "policy",
      shipping_policy: "policy",
      subscription_policy: "policy",
      terms_of_service: "policy",
      brand: "brand",
      address: "address",
      metafields: "metafields",
    },
  },
);

/** Returns the unique vendors or product types of the shop's products. */
function listShopFacetValues({ request: { catalog } }: View, facet: string): readonly string[] {
  const allProducts = { key: "all", numbers: () => catalog.numbers("product") };
  return getOrCreate(valuesByFacet(catalog.facets()), facet, () => listFacetValues(catalog, allProducts, facet));
}

/** Cached values of a field in all products, by field. Themes read the vendors of a shop on every page. */
const valuesByFacet = memoizePerObject((_: Facets) => new Map<string, readonly string[]>());

function createShopAddress(view: View): unknown {
  const { address } = view.config.contact;
  if (address === undefined) return undefined;
  const definedFields = Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined));
  return new TemplateObject(addressType, { view, address: definedFields });
}

/** The `routes` object with the paths of the shop, including the language prefix.  @see spec 1 */
export const routesType = createObjectType<View>("routes", {
  root_url: (view) => addPathPrefix(view, "/"),
  cart_url: (view) => addPathPrefix(view, "/cart"),
  cart_add_url: (view) => addPathPrefix(view, "/cart/add"),
  cart_change_url: (view) => addPathPrefix(view, "/cart/change"),
  cart_update_url: (view) => addPathPrefix(view, "/cart/update"),
  cart_clear_url: (view) => addPathPrefix(view, "/cart/clear"),
  search_url: (view) => addPathPrefix(view, "/search"),
  predictive_search_url: (view) => addPathPrefix(view, "/search/suggest"),
  collections_url: (view) => addPathPrefix(view, "/collections"),
  all_products_collection_url: (view) => addPathPrefix(view, "/collections/all"),
  product_recommendations_url: (view) => addPathPrefix(view, "/recommendations/products"),
  // Themes always print this URL, even in shops without accounts.
  account_url: (view) => addPathPrefix(view, "/account"),
  account_login_url: (view) => addPathPrefix(view, "/account/login"),
  account_logout_url: (view) => addPathPrefix(view, "/account/logout"),
  account_register_url: (view) => addPathPrefix(view, "/account/register"),
  account_recover_url: (view) => addPathPrefix(view, "/account/recover"),
  account_addresses_url: (view) => addPathPrefix(view, "/account/addresses"),
  account_profile_url: (view) => addPathPrefix(view, "/account/profile"),
  storefront_login_url: (view) => addPathPrefix(view, "/account/login"),
  buy_now_url: () => "/api/cart/buyNowCheckout",
  csrf_url: () => "/api/csrf",
});

/** The shop's brand settings. Themes without a logo setting read the logo from here. */
const brandType = createObjectType<View>(
  "brand",
  {
    slogan: ({ config }) => config.brand.slogan,
    short_description: ({ config }) => config.brand.shortDescription,
  },
  {
    logo: ({ config }) => createBrandImage(config.brand.logo, config.name),
    square_logo: ({ config }) => createBrandImage(config.brand.squareLogo, config.name),
    favicon_url: ({ config }) => createBrandImage(config.brand.favicon, config.name),
    cover_image: ({ config }) => createBrandImage(config.brand.coverImage, config.name),
    metafields: ({ config }) => createMetafieldsObject({ social_links: config.brand.social }),
  },
  {
    emptyFields: "colors",
    fieldTypes: {
      logo: "image",
      square_logo: "image",
      favicon_url: "image",
      cover_image: "image",
      metafields: "metafields",
    },
  },
);

function createBrandImage(src: string | undefined, title: string): unknown {
  return src === undefined ? undefined : createImageObject(createImageView({ src }, title));
}

export const themeType = createObjectType<CompiledTheme>("theme", {
  id: () => 1,
  name: (theme) => theme.name,
  role: () => "main",
});
