import * as v from "valibot";
import { MAX_WAIT_MS } from "../runtime/scheduler.ts";
import { events, mail } from "./event-settings.ts";
import { checkout, shipping, tax } from "./order-settings.ts";
import { search } from "./search-settings.ts";

import {
  className,
  country,
  currency,
  flag,
  group,
  integerUpTo,
  kind,
  link,
  locale,
  locales,
  moduleFile,
  optionalSetting,
  origin,
  proxies,
  recordOf,
  setting,
  templateSuffix,
  text,
  time,
  timezone,
} from "./value-kinds.ts";

/** The complete and validated settings of a store. */
export type Config = DeepReadonly<v.InferOutput<typeof settings>>;

/** Settings as a merchant writes them. Each setting is optional. */
export type StoreSettings = DeepReadonly<v.InferInput<typeof settings>>;

export interface MenuLink {
  readonly title: string;
  readonly url: string;
  readonly links: readonly MenuLink[];
  /** Translated titles by locale. */
  readonly translations: Readonly<Record<string, string>>;
}

/** Checks the types of a store's settings. `vitrine.config.ts` exports the result. */
export function defineStore(storeSettings: StoreSettings): StoreSettings {
  return storeSettings;
}

/** Returns whether daily statistics of searches are recorded. */
export function countsSearches({ search, console }: Pick<Config, "search" | "console">): boolean {
  return search.statistics ?? console;
}

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** A menu link as a merchant writes it. TypeScript cannot infer the type, because it is recursive. */
type MenuSettings = Pick<MenuLink, "title" | "url"> & {
  readonly links?: readonly MenuSettings[] | undefined;
  readonly translations?: Readonly<Record<string, string>> | undefined;
};

const menuLink: v.GenericSchema<MenuSettings, MenuLink> = group({
  title: text,
  url: link,
  links: v.optional(
    v.lazy(() => menuLinks),
    [],
  ),
  translations: v.optional(recordOf(text), {}),
});

const menuLinks = kind(v.array(menuLink), "a list of links { title, url }");

const socialLinks = kind(recordOf(link), "URLs by the name of the site");

const paymentTypes = kind(v.array(text), 'a list of names like ["visa", "paypal"]');

const compat = group({
  forms: setting(flag, false, "accept form bodies on every cart endpoint"),
  sectionClass: optionalSetting(className, "class of the elements around sections"),
  script: setting(
    flag,
    false,
    "load `/vitrine/compat.js`, which adds the CSRF token to requests of the theme; an unset cart note is `null` in JSON",
  ),
});

/** All compatibility features together, as a theme made for Shopify needs them. */
const fullCompatibility = { forms: true, script: true, sectionClass: "shopify-section" };

const compatOrFlag = v.pipe(
  v.custom<boolean | v.InferInput<typeof compat>>(() => true),
  v.transform((input) => (input === true ? fullCompatibility : input === false ? {} : input)),
  compat,
);

const steps = integerUpTo(1_000_000_000);

/**
 * All settings with their types, defaults, validation, and documentation. `npm run reference` generates the table in
 * the documentation from them.
 */
export const settings = group({
  name: setting(text, "My shop", "name of the shop"),
  currency: setting(
    currency,
    "USD",
    "currency of all amounts; it determines the minor unit (JPY 1, USD 0.01, KWD 0.001)",
  ),
  locales: v.optional(
    v.pipe(
      group({
        default: setting(locale, "en", "language of URLs without a language prefix"),
        others: setting(locales, [], "languages served under `/fr`, `/ja`, and so on"),
      }),
      v.forward(
        v.partialCheck(
          [["default"], ["others"]],
          (input) => !input.others.includes(input.default),
          "must not contain the default language",
        ),
        ["others"],
      ),
    ),
    {},
  ),
  timezone: setting(timezone, "UTC", "time zone of dates in themes, and of dates without a zone"),
  origin: optionalSetting(
    origin,
    "public URL of the shop, used in links and to check the origin of writes; default: scheme and `Host` of the request",
  ),
  trustProxy: setting(
    proxies,
    false,
    "proxies whose `X-Forwarded-*` headers are trusted; `true` trusts every client and all private addresses before it",
  ),
  console: setting(flag, false, "turn on the [console](../how-to/use-the-console.md) under `/admin`"),
  cart: v.optional(
    group({
      maxLines: setting(integerUpTo(1_000), 250, "maximum number of lines in a cart"),
      maxQuantity: setting(integerUpTo(1_000_000), 9_999, "maximum quantity of a line"),
      cookieDays: setting(integerUpTo(400), 30, "days after which an unused cart expires"),
    }),
    {},
  ),
  search,
  hooks: optionalSetting(moduleFile, "module with [hooks](hooks.md)"),
  checkout,
  events: v.optional(events, {}),
  mail: v.optional(mail, {}),
  shipping,
  tax,
  compat: setting(
    kind(compatOrFlag, "true, false, or an object"),
    false,
    `[compatibility mode](theme-compatibility.md#compatibility-mode) for themes made for Shopify; \`true\` is short for \`{ forms: true, script: true, sectionClass: "${fullCompatibility.sectionClass}" }\``,
  ),
  images: v.optional(
    group({
      cacheMegabytes: setting(
        integerUpTo(1_000_000),
        512,
        "size of the cache of resized images in `data/images`, in MB",
      ),
    }),
    {},
  ),
  server: v.optional(
    group({
      threads: optionalSetting(
        integerUpTo(256),
        "number of event loops, each in a thread; default: the number of processor cores. `serve --threads` overrides it",
      ),
      maxWait: setting(
        time,
        MAX_WAIT_MS,
        "milliseconds a request may wait before it starts; during a sustained [overload](../explanation/overload.md), requests are rejected with 503",
      ),
    }),
    {},
  ),
  rendering: v.optional(
    group({
      sectionSteps: setting(
        steps,
        500_000,
        "steps after which the rendering of a section stops. A step is one rendered node, one list item, or 64 characters of a filter's input or output",
      ),
      pageSteps: setting(steps, 2_000_000, "steps of all sections of a page, of its template, and of its layout"),
      sectionTime: setting(
        time,
        2_000,
        "milliseconds after which the rendering of a section stops, if its steps are slow",
      ),
      pageTime: setting(time, 5_000, "milliseconds of what `pageSteps` limits"),
    }),
    {},
  ),
  contact: v.optional(
    group({
      email: optionalSetting(text, "email address of the shop (`shop.email`)"),
      phone: optionalSetting(text, "phone number of the shop (`shop.phone`)"),
      address: v.optional(
        group({
          company: optionalSetting(text, "address of the shop (`shop.address`)"),
          address1: optionalSetting(text, "street and number"),
          address2: optionalSetting(text, "second line of the address"),
          city: optionalSetting(text, "city"),
          province: optionalSetting(text, "province or state"),
          zip: optionalSetting(text, "postal code"),
          country: optionalSetting(country, "country (ISO 3166)"),
        }),
      ),
    }),
    {},
  ),
  brand: v.optional(
    group({
      logo: optionalSetting(link, "logo, unless the theme has its own (`shop.brand.logo`)"),
      squareLogo: optionalSetting(link, "square logo"),
      favicon: optionalSetting(link, "favicon (`shop.brand.favicon_url`)"),
      coverImage: optionalSetting(link, "large image"),
      slogan: optionalSetting(text, "slogan"),
      shortDescription: optionalSetting(text, "short description"),
      social: setting(
        socialLinks,
        {},
        'links to profiles on other sites, such as `{ instagram: "https://…" }` (`shop.brand.metafields.social_links.instagram.value`)',
      ),
    }),
    {},
  ),
  paymentTypes: setting(
    paymentTypes,
    [],
    "payment icons that themes show (`shop.enabled_payment_types`): visa, master, american_express, paypal, apple_pay, and others of `payment_type_svg_tag`",
  ),
  customers: v.optional(
    group({
      accounts: setting(
        flag,
        false,
        "show pages under `/account`; your login handles [their forms](../how-to/discounts-and-customers.md#members)",
      ),
    }),
    {},
  ),
  comments: setting(flag, true, "accept comments on articles, which appear after `vitrine contacts --approve`"),
  derivedCollections: setting(
    flag,
    true,
    "[derive collections](import-formats.md#derived-collections) from types and vendors if the catalog has none",
  ),
  templates: setting(
    kind(recordOf(templateSuffix), "template suffixes by path"),
    {},
    'alternate templates by path, such as `{ "/products/raincoat": "wide", "/blogs/news": "list" }` for `product.wide` and `blog.list`; overrides `template_suffix` of the catalog',
  ),
  swatches: setting(
    kind(recordOf(text), "colors or images by option value"),
    {},
    'swatches of option values, such as `{ Navy: "#14284b", Tartan: "tartan.png" }`: a CSS color, or an image in `media/`. Color names in about 30 languages are built in',
  ),
  menus: setting(
    kind(recordOf(menuLinks), "lists of links by handle"),
    {},
    'menus by handle, such as `main-menu: [{ title, url, links, translations: { fr: "…" } }]`. Themes show `main-menu` and `footer`. Without `main-menu`: the first six collections and the blog; without `footer`: pages and policies',
  ),
});
