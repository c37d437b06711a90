import * as v from "valibot";
import { MAX_WAIT_MS } from "../runtime/scheduler.ts";
import { cdnSchema } from "./cdn-settings.ts";
import { eventsSchema, mailSchema } from "./event-settings.ts";
import { invoicesSchema } from "./invoice-settings.ts";
import { checkoutSchema, shippingSchema, taxSchema } from "./order-settings.ts";
import { searchSchema } from "./search-settings.ts";

import {
  classNameSchema,
  countrySchema,
  createIntegerSchema,
  currencySchema,
  defineGroup,
  defineRecord,
  describeSchema,
  emailSchema,
  flagSchema,
  idPrefixSchema,
  linkSchema,
  localeSchema,
  localesSchema,
  moduleFileSchema,
  optionalSetting,
  originSchema,
  proxiesSchema,
  setting,
  storageSchema,
  templateSuffixSchema,
  textSchema,
  timeSchema,
  timezoneSchema,
} from "./value-kinds.ts";

/** The complete and validated settings of a store. */
export type Config = DeepReadonly<v.InferOutput<typeof settingsSchema>>;

/** Settings as a merchant writes them. Each setting is optional. */
export type StoreSettings = DeepReadonly<v.InferInput<typeof settingsSchema>>;

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
export function isCountingSearches({ search, console }: Pick<Config, "search" | "console">): boolean {
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

const menuLinkSchema: v.GenericSchema<MenuSettings, MenuLink> = defineGroup({
  title: textSchema,
  url: linkSchema,
  links: v.optional(
    v.lazy(() => menuLinksSchema),
    [],
  ),
  translations: v.optional(defineRecord(textSchema), {}),
});

const menuLinksSchema = describeSchema(v.array(menuLinkSchema), "a list of links { title, url }");

const socialLinksSchema = describeSchema(defineRecord(linkSchema), "URLs by the name of the site");

const paymentTypesSchema = describeSchema(v.array(textSchema), 'a list of names like ["visa", "paypal"]');

const compatSchema = defineGroup({
  forms: setting(flagSchema, false, "accept form bodies on every cart endpoint"),
  sectionClass: optionalSetting(classNameSchema, "class of the elements around sections"),
  sectionPrefix: optionalSetting(
    idPrefixSchema,
    "start of the ids of sections, and, with `group-`, of the class of section groups; default: `shopify-section-` with `sectionClass` if the theme names such ids, otherwise `store-section-`",
  ),
  script: setting(
    flagSchema,
    false,
    "load `/vitrine/compat.js`, which adds the CSRF token to requests of the theme; an unset cart note is `null` in JSON, and prices of suggestions are decimals",
  ),
});

/** All compatibility features together, as a theme made for Shopify needs them. */
const allCompatFeatures = { forms: true, script: true, sectionClass: "shopify-section" };

const compatSettingSchema = v.pipe(
  v.custom<boolean | v.InferInput<typeof compatSchema>>(() => true),
  v.transform((input) => (input === true ? allCompatFeatures : input === false ? {} : input)),
  compatSchema,
);

export const compatModeSchema = describeSchema(compatSettingSchema, "true, false, or an object");

const compatSetting = setting(
  compatModeSchema,
  false,
  `[compatibility mode](theme-compatibility.md#compatibility-mode) for themes made for Shopify; \`true\` is short for \`{ forms: true, script: true, sectionClass: "${allCompatFeatures.sectionClass}" }\``,
);

export const menusSchema = describeSchema(defineRecord(menuLinksSchema), "lists of links by handle");

const stepsSchema = createIntegerSchema(1_000_000_000);

/**
 * All settings with their types, defaults, validation, and documentation. `npm run reference` generates the table in
 * the documentation from them.
 */
export const settingsSchema = defineGroup({
  name: setting(textSchema, "My shop", "name of the shop"),
  currency: setting(
    currencySchema,
    "USD",
    "currency of all amounts; it determines the minor unit (JPY 1, USD 0.01, KWD 0.001). A change does not convert prices: starts and imports warn until all products are imported with `--prune`",
  ),
  locales: v.optional(
    v.pipe(
      defineGroup({
        default: setting(localeSchema, "en", "language of URLs without a language prefix"),
        others: setting(localesSchema, [], "languages served under `/fr`, `/ja`, and so on"),
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
  timezone: setting(timezoneSchema, "UTC", "time zone of dates in themes, and of dates without a zone"),
  origin: optionalSetting(
    originSchema,
    "public URL of the shop, used in links and to check the origin of writes; default: scheme and `Host` of the request",
  ),
  trustProxy: setting(
    proxiesSchema,
    false,
    "proxies whose `X-Forwarded-*` headers are trusted; `true` trusts every client and all private addresses before it",
  ),
  cdn: cdnSchema,
  agents: setting(flagSchema, true, "let [shopping agents](../how-to/shopping-agents.md) read and fill carts"),
  console: setting(flagSchema, false, "turn on the [console](../how-to/use-the-console.md) under `/admin`"),
  consoleSecondFactor: setting(flagSchema, false, "require a code of an authenticator app at logins to the console"),
  cart: v.optional(
    defineGroup({
      maxLines: setting(createIntegerSchema(1_000), 250, "maximum number of lines in a cart"),
      maxQuantity: setting(createIntegerSchema(1_000_000), 9_999, "maximum quantity of a line"),
      cookieDays: setting(createIntegerSchema(400), 30, "days after which an unused cart expires"),
    }),
    {},
  ),
  search: searchSchema,
  hooks: optionalSetting(moduleFileSchema, "module with [hooks](hooks.md)"),
  checkout: checkoutSchema,
  invoices: invoicesSchema,
  events: v.optional(eventsSchema, {}),
  mail: v.optional(mailSchema, {}),
  shipping: shippingSchema,
  tax: taxSchema,
  compat: compatSetting,
  themePreset: optionalSetting(
    textSchema,
    "preset of the theme's settings, such as `Food`; case is ignored. Default: `current` of the theme's `config/settings_data.json`. The [presets](theme-guide.md#default-theme) of the default theme are `Clothes`, `Food`, `Tools`, `Books`, `Art`, and `Harbour`",
  ),
  images: v.optional(
    defineGroup({
      cacheMegabytes: setting(
        createIntegerSchema(1_000_000),
        512,
        "size of the cache of resized images in `data/images`, in MB",
      ),
    }),
    {},
  ),
  server: v.optional(
    defineGroup({
      threads: optionalSetting(
        createIntegerSchema(256),
        "number of event loops, each in a thread; default: one per processor core, but at most one per 512 MB of memory. `serve --threads` overrides it. Always 1 on macOS and Windows",
      ),
      maxWait: setting(
        timeSchema,
        MAX_WAIT_MS,
        "milliseconds a request may wait before it starts; during a sustained [overload](../explanation/overload.md), requests are rejected with 503",
      ),
      sharedIndex: optionalSetting(
        storageSchema,
        "storage of the search index that [all servers reach](../how-to/scaling.md#build-the-index-once); one server builds the index, the others read it. Default: each server builds its own",
      ),
    }),
    {},
  ),
  rendering: v.optional(
    defineGroup({
      sectionSteps: setting(
        stepsSchema,
        500_000,
        "steps after which the rendering of a section stops. A step is one rendered node, one list item, or 64 characters of a filter's input or output",
      ),
      pageSteps: setting(stepsSchema, 2_000_000, "steps of all sections of a page, of its template, and of its layout"),
      sectionTime: setting(
        timeSchema,
        2_000,
        "milliseconds after which the rendering of a section stops, if its steps are slow",
      ),
      pageTime: setting(timeSchema, 5_000, "milliseconds of what `pageSteps` limits"),
    }),
    {},
  ),
  contact: v.optional(
    defineGroup({
      email: optionalSetting(emailSchema, "email address of the shop (`shop.email`)"),
      phone: optionalSetting(textSchema, "phone number of the shop (`shop.phone`)"),
      address: v.optional(
        defineGroup({
          company: optionalSetting(textSchema, "address of the shop (`shop.address`)"),
          address1: optionalSetting(textSchema, "street and number"),
          address2: optionalSetting(textSchema, "second line of the address"),
          city: optionalSetting(textSchema, "city"),
          province: optionalSetting(textSchema, "province or state"),
          zip: optionalSetting(textSchema, "postal code"),
          country: optionalSetting(countrySchema, "country (ISO 3166)"),
        }),
      ),
    }),
    {},
  ),
  brand: v.optional(
    defineGroup({
      logo: optionalSetting(linkSchema, "logo, unless the theme has its own (`shop.brand.logo`)"),
      squareLogo: optionalSetting(linkSchema, "square logo"),
      favicon: optionalSetting(linkSchema, "favicon (`shop.brand.favicon_url`)"),
      coverImage: optionalSetting(linkSchema, "large image"),
      slogan: optionalSetting(textSchema, "slogan"),
      shortDescription: optionalSetting(textSchema, "short description"),
      social: setting(
        socialLinksSchema,
        {},
        'links to profiles on other sites, such as `{ instagram: "https://…" }` (`shop.brand.metafields.social_links.instagram.value`)',
      ),
    }),
    {},
  ),
  paymentTypes: setting(
    paymentTypesSchema,
    [],
    "payment icons that themes show (`shop.enabled_payment_types`): visa, master, american_express, paypal, apple_pay, and others of `payment_type_svg_tag`",
  ),
  customers: v.optional(
    defineGroup({
      accounts: setting(
        flagSchema,
        false,
        "show pages under `/account`; your login handles [their forms](../how-to/discounts-and-customers.md#members)",
      ),
    }),
    {},
  ),
  comments: setting(flagSchema, true, "accept comments on articles, which appear after `vitrine contacts --approve`"),
  derivedCollections: setting(
    flagSchema,
    true,
    "[derive collections](import-formats.md#derived-collections) from types and vendors if the catalog has none",
  ),
  templates: setting(
    describeSchema(defineRecord(templateSuffixSchema), "template suffixes by path"),
    {},
    'alternate templates by path, such as `{ "/products/raincoat": "wide", "/blogs/news": "list" }` for `product.wide` and `blog.list`; overrides `template_suffix` of the catalog',
  ),
  swatches: setting(
    describeSchema(defineRecord(textSchema), "colors or images by option value"),
    {},
    'swatches of option values, such as `{ Navy: "#14284b", Tartan: "tartan.png" }`: a CSS color, or an image in `media/`. Color names in about 30 languages are built in',
  ),
  menus: setting(
    menusSchema,
    {},
    'menus by handle, such as `main-menu: [{ title, url, links, translations: { fr: "…" } }]`. Themes show `main-menu` and `footer`. Without `main-menu`: the first six collections and the blog; without `footer`: pages and policies',
  ),
});
