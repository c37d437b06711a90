import { getTextDirection } from "../../../messages/text-direction.ts";
import { getOrCreate } from "../../../runtime/cache.ts";
import { capitalize } from "../../../runtime/capitalize.ts";
import { parsePageQuery, type View } from "../../view.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";

interface LanguageObjectData {
  readonly view: View;
  readonly locale: string;
}

/** Returns the languages of the shop, starting with the default language. */
export function createLanguageObjects(view: View): TemplateObject<LanguageObjectData>[] {
  const { locales } = view.config;
  return [locales.default, ...locales.others].map((locale) => new TemplateObject(languageType, { view, locale }));
}

/** Returns the language of the page. */
export function getCurrentLanguage(view: View): TemplateObject<LanguageObjectData> {
  return new TemplateObject(languageType, { view, locale: view.request.locale });
}

function formatRootPath({ view, locale }: LanguageObjectData): string {
  return locale === view.config.locales.default ? "/" : `/${locale}`;
}

/** Returns the URL of the current page in a language. */
function formatLanguageUrl({ view, locale }: LanguageObjectData): string {
  const root = formatRootPath({ view, locale });
  const prefix = root === "/" ? "" : root;
  const query = parsePageQuery(view).toString();
  const path = view.path === "/" && prefix !== "" ? prefix : prefix + view.path;
  return query === "" ? path : `${path}?${query}`;
}

function getLanguageName(locale: string, displayLocale: string): string {
  return getOrCreate(languageNames, `${locale} ${displayLocale}`, () => {
    const names = new Intl.DisplayNames([displayLocale], { type: "language" });
    return capitalize(names.of(locale) ?? locale, displayLocale);
  });
}

/** Cached language names, since `Intl.DisplayNames` takes 0.1 ms per name. */
const languageNames = new Map<string, string>();

const languageType = createObjectType<LanguageObjectData>(
  "shop_locale",
  {
    iso_code: ({ locale }) => locale,
    theme_iso_code: ({ view, locale }) => view.theme.getDisplayLanguage(locale),
    name: ({ view, locale }) => getLanguageName(locale, view.request.locale),
    endonym_name: ({ locale }) => getLanguageName(locale, locale),
    primary: ({ view, locale }) => locale === view.config.locales.default,
    root_url: formatRootPath,
    url: formatLanguageUrl,
    selected: ({ view, locale }) => locale === view.request.locale,
    direction: ({ locale }) => getTextDirection(locale),
  },
  {},
  { identity: ({ locale }) => locale },
);
