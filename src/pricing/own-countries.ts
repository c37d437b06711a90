import { countryCodes } from "./countries.ts";

/** What tells where a shop is. */
export interface ShopPlace {
  /** ISO 4217 */
  readonly currency: string;
  readonly locales: { readonly default: string };
  /** An IANA name. */
  readonly timezone: string;
  readonly contact: { readonly address?: { readonly country?: string | undefined } | undefined };
}

/** Countries that a shop sells to unless its settings name others: its own first, then those that use its currency.
 *  @returns ISO 3166-1; empty: unknown */
export function ownCountries({ currency, locales, timezone, contact }: ShopPlace): readonly string[] {
  const known = currency === "EUR" ? euroArea : countryCodes().filter((code) => code === currency.slice(0, 2));
  const region = new Intl.Locale(locales.default).maximize().region;
  const own =
    contact.address?.country ??
    known.find((code) => code === region) ??
    known.find((code) => new Intl.Locale("und", { region: code }).getTimeZones?.()?.includes(timezone));
  return [...new Set([...(own === undefined ? [] : [own]), ...known])];
}

/** By population. The other codes of ISO 4217 begin with their country's code, or are shared by countries without one. */
const euroArea = "DE FR IT ES NL BE PT GR AT BG FI SK IE HR LT SI LV EE CY LU MT".split(" ");
