import { getOrCreate } from "../runtime/cache.ts";

/** Returns the sorted ISO 3166-1 codes of all current countries, without codes of groups and reserved codes. */
export function listCountryCodes(): readonly string[] {
  if (cachedCountryCodes.length === 0) cachedCountryCodes.push(...findCountryCodes());
  return cachedCountryCodes;
}

/** Returns the name of a country in the reader's language.  @param code ISO 3166-1 code */
export function getCountryName(code: string, locale: string): string {
  return getDisplayNames(locale, "long").of(code) ?? code;
}

/** Returns the codes of all countries with their names in the reader's language, sorted by name. */
export function listCountryNames(locale: string): readonly (readonly [code: string, name: string])[] {
  const { compare } = new Intl.Collator(locale);
  return listCountryCodes()
    .map((code) => [code, getCountryName(code, locale)] as const)
    .toSorted(([, a], [, b]) => compare(a, b));
}

/**
 * Finds a country by its code, or by its long or short name in English or in the reader's language.
 * @returns ISO 3166-1 code
 */
export function findCountry(text: string, locale: string): string | undefined {
  const normalizedName = normalizeName(text);
  if (normalizedName === "" || normalizedName.length > MAX_NAME_LENGTH) return undefined;
  return getOrCreate(codesByLocale, locale, () => buildCodesByName(locale)).get(normalizedName);
}

/** Returns whether addresses in the country can have a postal code.  @param code ISO 3166-1 code */
export function hasPostalCode(code: string): boolean {
  return !countriesWithoutPostalCode.has(code);
}

/** Returns whether an address in the country is incomplete without a postal code.  @param code ISO 3166-1 code */
export function requiresPostalCode(code: string): boolean {
  return hasPostalCode(code) && !countriesWithOptionalPostalCode.has(code);
}

/** Returns whether addresses in the country contain a state, province or prefecture.  @param code ISO 3166-1 code */
export function hasProvince(code: string): boolean {
  return countriesWithProvince.has(code);
}

/**
 * Returns whether addresses in the country may contain a state, province or prefecture. True for countries whose format
 * is not known.
 * @param code ISO 3166-1 code
 */
export function mayHaveProvince(code: string): boolean {
  return !countriesWithoutProvince.has(code);
}

/** Countries without postal codes, and Ireland, where postal codes are optional. */
const countriesWithoutPostalCode = new Set(
  "AE AG AO AQ AW BF BI BJ BO BS BV BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY HK HM IE JM KI KM KN KP LY ML MO MR MS MW NR NU PA QA RW SB SC SL SR SS ST SX SY TD TF TG TK TL TO TV UG VU YE ZW".split(
    " ",
  ),
);

/**
 * Countries with postal codes that many people do not know. Google's address metadata requires no code there. It also
 * requires none in Argentina, Indonesia, Israel, Kazakhstan, Thailand, and parts of Europe, but carriers need it there.
 */
const countriesWithOptionalPostalCode = new Set(
  "AF AI AM AZ BB BD BH BM BN BT CL CO CR CU CV DO DZ EC EG EH ET GE GN GT GW HN HT IQ IR JO KE KG KH KW KY LA LB LK LR LS MA MG MM MN MU MV MZ NA NE NG NI NP OM PE PG PH PK PS PY SA SD SN SO SV SZ TJ TM TN TZ UY UZ VC VE VG VN ZM".split(
    " ",
  ),
);

const countriesWithProvince = new Set("AE AU BR CA CN ES HK ID IN IT JP KR MX MY RU TH TW US".split(" "));

/** Countries whose address format in Google's address metadata has no state. */
const countriesWithoutProvince = new Set(
  "AD AT BA BE BG CH CZ DE DK FI FR GB GG GI GR HR HU IL IM IS JE LI LU MC ME MK MT NL NO PL RS SA SE SG SI SK SM".split(
    " ",
  ),
);

/** Maximum length of a country name in UTF-16 units; all known names are shorter. */
const MAX_NAME_LENGTH = 100;

const cachedCountryCodes: string[] = [];
/** Country codes by locale and normalized name. */
const codesByLocale = new Map<string, Map<string, string>>();

/** Common country names that `Intl` does not contain. Older themes use some of them. */
const otherCountryNames: Readonly<Record<string, string>> = {
  USA: "US",
  "United States of America": "US",
  "Great Britain": "GB",
  England: "GB",
  Turkey: "TR",
  "Czech Republic": "CZ",
  "Ivory Coast": "CI",
  Swaziland: "SZ",
  Macedonia: "MK",
  Holland: "NL",
  "Korea, Republic of": "KR",
  "Russian Federation": "RU",
  "Viet Nam": "VN",
};

/**
 * Returns country codes by normalized code or name. If a text is both a code and a name, it counts as the code. Names
 * from `Intl` take precedence over `otherCountryNames`.
 */
function buildCodesByName(locale: string): Map<string, string> {
  const codesByName = new Map(Object.entries(otherCountryNames).map(([name, code]) => [normalizeName(name), code]));
  for (const language of ["en", locale])
    for (const style of ["short", "long"] as const) {
      const names = getDisplayNames(language, style);
      for (const code of listCountryCodes()) codesByName.set(normalizeName(names.of(code) ?? code), code);
    }
  for (const code of listCountryCodes()) codesByName.set(normalizeName(code), code);
  return codesByName;
}

function getDisplayNames(locale: string, style: "long" | "short"): Intl.DisplayNames {
  return getOrCreate(
    displayNames,
    `${locale} ${style}`,
    () => new Intl.DisplayNames([locale], { type: "region", style }),
  );
}

/** Names of countries by locale and style. Creating them takes longer than finding the names of 200 countries. */
const displayNames = new Map<string, Intl.DisplayNames>();

/** Removes case, accents and punctuation, so that "Cote d'Ivoire" equals "Côte d’Ivoire". */
export function normalizeName(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}

/** Returns all two-letter codes of current countries in `Intl`. */
function findCountryCodes(): string[] {
  const regionNames = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const excludedCodes = new Set("EU EZ UN QO XA XB ZZ AC CP CQ DG EA IC TA".split(" "));
  return letters
    .flatMap((firstLetter) => letters.map((secondLetter) => firstLetter + secondLetter))
    .filter(
      (code) =>
        !excludedCodes.has(code) &&
        regionNames.of(code) !== undefined &&
        new Intl.Locale(`und-${code}`).region === code,
    );
}
