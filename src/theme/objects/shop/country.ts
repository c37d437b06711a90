import type { Image } from "../../../catalog/product.ts";
import { getCountryName, listCountryNames } from "../../../pricing/countries.ts";
import { getCurrencySign } from "../../../pricing/money.ts";
import { listProvinces } from "../../../pricing/provinces.ts";
import { getOrCreate } from "../../../runtime/cache.ts";
import { escapeHtml } from "../../../runtime/escape-html.ts";
import { renderAttribute, SafeHtml } from "../../liquid/safe-html.ts";
import type { View } from "../../view.ts";
import { emptyMetafields } from "../metafields.ts";
import { createObjectType, getSubject, TemplateObject, TextObject } from "../template-object.ts";
import { createLanguageObjects } from "./shop-locale.ts";

interface Country {
  readonly view: View;
  /** ISO 3166-1 code, or "" if the shop's country is unknown. */
  readonly code: string;
}

/** Creates a `country` object, which prints its name in the page's language.  @param code ISO 3166-1 */
export function createCountryObject(view: View, code: string): TemplateObject<Country> {
  return new TextObject(countryType, { view, code }, formatLocalizedName({ view, code }));
}

/** Returns the flag of a country as an emoji image, or undefined for other values. */
export function countryFlagOf(value: unknown): Image | undefined {
  const country = value instanceof TemplateObject ? value[getSubject](countryType) : undefined;
  if (country === undefined || !/^[A-Z]{2}$/.test(country.code)) return undefined;
  const letters = [...country.code].map((letter) => String.fromCodePoint(0x1f1e6 + letter.charCodeAt(0) - 65));
  const text = `<text x="16" y="12" text-anchor="middle" dominant-baseline="central" font-size="24">${letters.join("")}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 24" width="32" height="24">${text}</svg>`;
  return {
    src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
    alt: formatLocalizedName(country),
    width: 32,
    height: 24,
  };
}

/** Returns the shop's country. It is the first country in the shipping settings. */
export function getHomeCountry(view: View): TemplateObject<Country> {
  return createCountryObject(view, view.config.shipping.countries[0] ?? "");
}

/** Returns the countries that visitors can select: that of the shop, because prices do not depend on the country. */
export function listAvailableCountries(view: View): readonly TemplateObject<Country>[] {
  return view.config.shipping.countries.length === 0 ? [] : [getHomeCountry(view)];
}

function formatLocalizedName({ view, code }: Country): string {
  return code === "" ? "" : getCountryName(code, view.request.locale);
}

/** All countries have the same currency, because a shop has only one. */
const countryType = createObjectType<Country>(
  "country",
  {
    iso_code: ({ code }) => code,
    name: formatLocalizedName,
    currency: ({ view }) => new TemplateObject(currencyType, view),
    unit_system: ({ code }) => (imperialCountries.has(code) ? "imperial" : "metric"),
    "popular?": () => false,
  },
  { market: () => marketObject, available_languages: ({ view }) => createLanguageObjects(view) },
  {
    emptyFields: "continent",
    fieldTypes: { currency: "currency", market: "market", available_languages: "shop_locale[]" },
    identity: ({ code }) => code,
  },
);

/** Countries that use imperial units. */
const imperialCountries: ReadonlySet<string> = new Set(["US", "LR", "MM"]);

export const marketObject = new TemplateObject(
  createObjectType<undefined>("market", { id: () => 1, handle: () => "all" }, { metafields: () => emptyMetafields }),
  undefined,
);

/** The shop's currency. Its symbol is in the page's language. */
export const currencyType = createObjectType<View>("currency", {
  iso_code: ({ config }) => config.currency,
  symbol: ({ config, request }) => getCurrencySign(config.currency, request.locale),
  name: ({ config, request }) =>
    new Intl.DisplayNames([request.locale], { type: "currency" }).of(config.currency) ?? config.currency,
});

/**
 * Returns an HTML `<option>` for each country, with names in the page's language, after the shop's country and an empty
 * choice. `data-provinces` contains the value and the name of each province. The value is the Latin name in all
 * languages, because addresses store it.
 */
export function renderCountries(view: View): SafeHtml {
  const { locale } = view.request;
  const options = getOrCreate(optionsByLocale, locale, () =>
    listCountryNames(locale).map(([code, name]) => [code, renderOption(code, name, locale)] as const),
  );
  const homeOption = options.find(([code]) => code === view.config.shipping.countries[0])?.[1];
  const firstOptions = [
    ...(homeOption === undefined ? [] : [homeOption]),
    '<option value="---" data-provinces="[]">---</option>',
  ];
  return new SafeHtml([...firstOptions, ...options.map(([, option]) => option)].join("\n"), "");
}

function renderOption(code: string, name: string, locale: string): string {
  const latinNames = new Map(listProvinces(code, "en").map((province) => [province.code, province.name]));
  const provinces = listProvinces(code, locale).map((province) => [latinNames.get(province.code), province.name]);
  const attributes = [
    renderAttribute("value", name),
    renderAttribute("data-code", code),
    renderAttribute("data-provinces", JSON.stringify(provinces)),
  ];
  return `<option${attributes.join("")}>${escapeHtml(name)}</option>`;
}

/** Codes of countries and their `<option>` elements, by language. */
const optionsByLocale = new Map<string, readonly (readonly [code: string, html: string])[]>();
