import { countryCodes } from "./countries.ts";

/** Settings that indicate the shop's country. */
export interface LocationHints {
  /** ISO 4217 */
  readonly currency: string;
  readonly locales: { readonly default: string };
  /** IANA name. */
  readonly timezone: string;
  readonly contact: { readonly address?: { readonly country?: string | undefined } | undefined };
}

/**
 * Default countries that a shop sells to: its country first, then others with its currency.
 * @returns ISO 3166-1 codes; empty if unknown
 */
export function defaultCountries({ currency, locales, timezone, contact }: LocationHints): readonly string[] {
  const known = currency === "EUR" ? euroArea : countryCodes().filter((code) => code === currency.slice(0, 2));
  const region = new Intl.Locale(locales.default).maximize().region;
  const home =
    contact.address?.country ??
    known.find((code) => code === region) ??
    known.find((code) => new Intl.Locale("und", { region: code }).getTimeZones?.()?.includes(timezone));
  return [...new Set([...(home === undefined ? [] : [home]), ...known])];
}

/** By population. Other currency codes start with their country's code, or belong to several countries. */
const euroArea = "DE FR IT ES NL BE PT GR AT BG FI SK IE HR LT SI LV EE CY LU MT".split(" ");
