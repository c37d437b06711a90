import { listCountryCodes } from "./countries.ts";

/** Settings that indicate the shop's country. */
export interface CountryHints {
  /** ISO 4217 code. */
  readonly currency: string;
  readonly locales: { readonly default: string };
  /** IANA time zone name. */
  readonly timezone: string;
  readonly contact: { readonly address?: { readonly country?: string | undefined } | undefined };
}

/**
 * Returns the default countries that a shop sells to: its own country first, then other countries with its currency.
 * @returns ISO 3166-1 codes; empty if the country is unknown
 */
export function inferCountries({ currency, locales, timezone, contact }: CountryHints): readonly string[] {
  const currencyCountries =
    currency === "EUR" ? euroCountries : listCountryCodes().filter((code) => code === currency.slice(0, 2));
  const localeCountry = new Intl.Locale(locales.default).maximize().region;
  const homeCountry =
    contact.address?.country ??
    currencyCountries.find((code) => code === localeCountry) ??
    currencyCountries.find((code) => listTimezones(code).includes(timezone));
  return [...new Set([...(homeCountry === undefined ? [] : [homeCountry]), ...currencyCountries])];
}

/** Countries that use the euro, by population. Most other currency codes start with their country's code. */
const euroCountries = "DE FR IT ES NL BE PT GR AT BG FI SK IE HR LT SI LV EE CY LU MT".split(" ");

/**
 * Returns the currency of a country.
 * @param country ISO 3166-1 code
 * @returns ISO 4217 code; undefined for countries that use the currency of another country, unless it is the euro
 */
export function findCurrency(country: string): string | undefined {
  if (euroCountries.includes(country)) return "EUR";
  const names = new Intl.DisplayNames("en", { type: "currency" });
  // Former currencies have their years in parentheses: "Polish Zloty (1950–1995)".
  return Intl.supportedValuesOf("currency").findLast(
    (code) => code.startsWith(country) && names.of(code)?.includes("(") === false,
  );
}

/**
 * Returns the time zone of a country.
 * @param country ISO 3166-1 code
 * @param machineTimezone time zone of the machine, which is used if it is one of the country
 * @returns IANA name; undefined if the country has zones with different times
 */
export function findTimezone(country: string, machineTimezone: string): string | undefined {
  const timezones = listTimezones(country);
  if (timezones.includes(machineTimezone)) return machineTimezone;
  const hasOneTime = new Set(timezones.map(formatOffsets)).size === 1;
  return hasOneTime ? timezones[0] : undefined;
}

function listTimezones(country: string): readonly string[] {
  return new Intl.Locale("und", { region: country }).getTimeZones?.() ?? [];
}

/** Returns the differences to UTC in winter and summer. */
function formatOffsets(timeZone: string): string {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  return [0, 6].map((month) => format.format(Date.UTC(2026, month))).join();
}
