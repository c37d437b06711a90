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
  kind,
  link,
  locale,
  locales,
  moduleFile,
  named,
  optionalSetting,
  origin,
  proxies,
  setting,
  templateSuffix,
  text,
  time,
  timezone,
  whole,
} from "./value-kinds.ts";

/** A store's settings, complete and checked. */
export type Config = DeepReadonly<v.InferOutput<typeof settings>>;

/** What a merchant writes: any part of a config; the rest has defaults. */
export type StoreSettings = DeepReadonly<v.InferInput<typeof settings>>;

export interface MenuLink {
  readonly title: string;
  readonly url: string;
  readonly links: readonly MenuLink[];
  /** locale -> title */
  readonly translations: Readonly<Record<string, string>>;
}

/** Types a store's settings; `vitrine.config.ts` exports what it returns. */
export function defineStore(written: StoreSettings): StoreSettings {
  return written;
}

/** Whether what shoppers search is counted by the day. */
export function countsSearches({ search, console }: Pick<Config, "search" | "console">): boolean {
  return search.statistics ?? console;
}

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** What a recursive type can be inferred from nowhere: a link as it is written. */
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
  translations: v.optional(named(text), {}),
});

const menuLinks = kind(v.array(menuLink), "a list of links { title, url }");

const socialLinks = kind(named(link), "addresses by their site's name");

const paymentTypes = kind(v.array(text), 'a list of names like ["visa", "paypal"]');

const compat = group({
  forms: setting(flag, false, "bodies of forms are taken on every write"),
  sectionClass: optionalSetting(className, "a class beside the id of sections' wrappers"),
  script: setting(
    flag,
    false,
    "pages load `/vitrine/compat.js`, which adds the token to the theme's own requests; an unset note of the cart is null in JSON",
  ),
});

/** What a theme of Shopify's kind needs. */
const allCompat = { forms: true, script: true, sectionClass: "shopify-section" };

const compatOrFlag = v.pipe(
  v.custom<boolean | v.InferInput<typeof compat>>(() => true),
  v.transform((written) => (written === true ? allCompat : written === false ? {} : written)),
  compat,
);

const steps = whole(1_000_000_000);

/** Every setting: its type, default and check, and what the documents say of it. `npm run settings` makes their table from this. */
export const settings = group({
  name: setting(text, "My shop", "shown in the theme"),
  currency: setting(currency, "USD", "ISO 4217; decides the minor unit of every amount (JPY 1, USD 0.01, KWD 0.001)"),
  locales: v.optional(
    v.pipe(
      group({
        default: setting(locale, "en", "the language of addresses without one"),
        others: setting(locales, [], "served under `/fr`, `/ja` …"),
      }),
      v.forward(
        v.partialCheck(
          [["default"], ["others"]],
          (written) => !written.others.includes(written.default),
          "must not hold the default language",
        ),
        ["others"],
      ),
    ),
    {},
  ),
  timezone: setting(
    timezone,
    "UTC",
    "the zone in which themes show dates, and that of dates written without one; an IANA name",
  ),
  origin: optionalSetting(
    origin,
    "what writes are held to, and what links begin with; without it, the request's own scheme and `Host`",
  ),
  trustProxy: setting(
    proxies,
    false,
    "your proxies, whose `X-Forwarded-*` count; `true`: nobody but a proxy can connect, and private addresses behind it are proxies as well",
  ),
  console: setting(
    flag,
    false,
    "the merchant's pages under `/admin`, for who logs in with a token of the scope `console`; see [Console](../how-to/use-the-console.md)",
  ),
  cart: v.optional(
    group({
      maxLines: setting(whole(1_000), 250, "lines of a cart"),
      maxQuantity: setting(whole(1_000_000), 9_999, "pieces of a line"),
      cookieDays: setting(whole(400), 30, "days for which a cart that nobody uses is kept"),
    }),
    {},
  ),
  search,
  hooks: optionalSetting(
    moduleFile,
    "a module in the store's folder with code of the merchant's own, as `\"hooks.ts\"`; see [Hooks](hooks.md)",
  ),
  checkout,
  events: v.optional(events, {}),
  mail: v.optional(mail, {}),
  shipping,
  tax,
  compat: setting(
    kind(compatOrFlag, "true, false or some of what follows"),
    false,
    `for themes made for another storefront; \`true\` is short for \`{ forms: true, script: true, sectionClass: "${allCompat.sectionClass}" }\``,
  ),
  images: v.optional(
    group({
      cacheMegabytes: setting(whole(1_000_000), 512, "megabytes of resized pictures that are kept in `data/images`"),
    }),
    {},
  ),
  server: v.optional(
    group({
      threads: optionalSetting(
        whole(256),
        "event loops that answer, a thread each; without it, as many as there are processor cores; `serve --threads` beats it",
      ),
      maxWait: setting(
        time,
        MAX_WAIT_MS,
        "milliseconds that a request may wait before it starts; under sustained overload requests are rejected with 503; see [Overload](../explanation/overload.md)",
      ),
    }),
    {},
  ),
  rendering: v.optional(
    group({
      sectionSteps: setting(
        steps,
        500_000,
        "what a section of the theme may do before it is stopped; a step is a node of a template that is rendered, an item of a list, or 64 characters that a filter is given or gives back: the same on every machine",
      ),
      pageSteps: setting(
        steps,
        2_000_000,
        "the same of all sections of a page together, of its template, and of its layout",
      ),
      sectionTime: setting(
        time,
        2_000,
        "milliseconds of work of a section: the last resort, where steps are slow ones",
      ),
      pageTime: setting(time, 5_000, "the same of as much as `pageSteps` are for"),
    }),
    {},
  ),
  contact: v.optional(
    group({
      email: optionalSetting(text, "the shop's own address for mail, as themes show it (`shop.email`)"),
      phone: optionalSetting(text, "its telephone (`shop.phone`)"),
      address: v.optional(
        group({
          company: optionalSetting(text, "of the shop's own address (`shop.address`)"),
          address1: optionalSetting(text, "street and number"),
          address2: optionalSetting(text, "what else there is to say"),
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
      logo: optionalSetting(link, "a picture that themes show where they have none of their own (`shop.brand.logo`)"),
      squareLogo: optionalSetting(link, "the same as a square"),
      favicon: optionalSetting(link, "the icon of the shop's pages (`shop.brand.favicon_url`)"),
      coverImage: optionalSetting(link, "a large picture of the shop"),
      slogan: optionalSetting(text, "a few words"),
      shortDescription: optionalSetting(text, "a sentence or two"),
      social: setting(
        socialLinks,
        {},
        'the shop on other sites, as `{ instagram: "https://…" }` (`shop.brand.metafields.social_links.instagram.value`)',
      ),
    }),
    {},
  ),
  paymentTypes: setting(
    paymentTypes,
    [],
    "ways to pay that themes show (`shop.enabled_payment_types`), by names that `payment_type_svg_tag` draws: visa, master, american_express, paypal, apple_pay …",
  ),
  customers: v.optional(
    group({
      accounts: setting(
        flag,
        false,
        "pages under `/account` are shown: a login of your own takes what their forms send; see [Members](../how-to/manage-the-catalog.md#members)",
      ),
    }),
    {},
  ),
  comments: setting(
    flag,
    true,
    "readers may comment on articles; a comment is shown once `vitrine contacts --approve` lets it",
  ),
  derivedCollections: setting(
    flag,
    true,
    "a shop without collections of its own gets some: all products, and one for each type and vendor worth a page; see [Collections](../how-to/manage-the-catalog.md#collections)",
  ),
  templates: setting(
    kind(named(templateSuffix), "names of alternate templates by paths"),
    {},
    'which alternate template of the theme a page has, as `{ "/products/raincoat": "wide", "/blogs/news": "list" }` for `product.wide` and `blog.list`; beats the field `template_suffix` of the catalogue',
  ),
  swatches: setting(
    kind(named(text), "colors or pictures by values of options"),
    {},
    'what themes show of values of options, as `{ Navy: "#14284b", Tartan: "tartan.png" }`: a color, or a picture in `media/`. Values of an option for the color have the color that they name, in any of some 30 languages',
  ),
  menus: setting(
    kind(named(menuLinks), "lists of links by handle"),
    {},
    'as `main: [{ title, url, links, translations: { fr: "…" } }]`. Themes show `main-menu` and `footer`, unless their settings name others; `check` tells of menus that they ask for in vain',
  ),
});
