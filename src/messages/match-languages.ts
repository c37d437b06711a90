import { getOrCreate } from "../runtime/cache.ts";

/**
 * Returns the languages that a reader of a locale understands, the best first: "pt-BR" and "pt-PT" for "pt".
 * @param locale language of the reader, such as "pt-BR"
 * @param knownLanguages language codes, such as names of files; case is ignored
 */
export function matchLanguages(locale: string, knownLanguages: Iterable<string>): string[] {
  const reader = parseLanguage(locale);
  return [...knownLanguages]
    .map((language) => ({ language, distance: computeDistance(locale, reader, language) }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .sort((left, right) => left.distance - right.distance || (left.language < right.language ? -1 : 1))
    .map(({ language }) => language);
}

/** Returns whether two codes name the same language, such as "de" and "de-AT". */
export function isSameLanguage(left: string, right: string): boolean {
  const [leftLanguage, rightLanguage] = [parseLanguage(left), parseLanguage(right)];
  return leftLanguage !== undefined && leftLanguage.language === rightLanguage?.language;
}

function computeDistance(locale: string, reader: Intl.Locale | undefined, language: string): number {
  const [localeCode, code] = [locale.toLowerCase(), language.toLowerCase()];
  if (code === localeCode) return 0;
  if (localeCode.startsWith(`${code}-`)) return 1 / code.length;
  const candidate = getOrCreate(knownLocales, language, () => parseLanguage(language));
  if (reader === undefined || candidate === undefined) return Number.POSITIVE_INFINITY;
  if (getLanguageGroup(candidate) !== getLanguageGroup(reader) || candidate.script !== reader.script)
    return Number.POSITIVE_INFINITY;
  if (candidate.region === reader.region) return 2;
  const mainRegion = new Intl.Locale(reader.language).maximize().region;
  return reader.region !== mainRegion && candidate.region === preferredRegions.get(reader.language) ? 3 : 4;
}

/** Locales of the languages that the callers know. The locales of readers are not cached, because visitors send them. */
const knownLocales = new Map<string, Intl.Locale | undefined>();

/** Returns the language with its likely script and region, or undefined if the code is invalid. */
function parseLanguage(code: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(code).maximize();
  } catch {
    return undefined;
  }
}

/**
 * Returns the language code. The codes nb and nn of the two written forms of Norwegian become "no", because their
 * readers understand both.
 */
function getLanguageGroup({ language }: Intl.Locale): string {
  return language === "nb" || language === "nn" ? "no" : language;
}

/**
 * Regional form that readers outside a language's main region usually prefer. For example, "pt-AO" (Angola) prefers
 * "pt-PT" to "pt-BR", which is the main form.
 */
const preferredRegions: ReadonlyMap<string, string> = new Map([
  ["en", "GB"],
  ["es", "MX"],
  ["pt", "PT"],
]);
