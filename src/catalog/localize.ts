import type { Entry, OfferedVariant } from "./catalog.ts";
import type { Product, Seo, Variant } from "./product.ts";

/**
 * Returns an entry, such as a product, in another language. The result has no translations, so that localizing it again
 * does not translate an option value twice.
 * @returns `entry` itself if it is not translated into the language
 */
export function localize<E extends Entry>(entry: E, locale: string): E {
  const texts = getLocaleValue(entry.translations, locale);
  if (texts === undefined) return entry;
  const localizedEntry: Record<string, unknown> = { ...entry, translations: {} };
  for (const [name, text] of Object.entries(texts)) {
    const field = toPropertyName(entry, name);
    if (field !== undefined && isUsableTranslation(field, localizedEntry[field], text)) localizedEntry[field] = text;
  }
  if (texts.seo !== undefined || "seo" in entry)
    localizedEntry.seo = localizeSeo("seo" in entry ? entry.seo : undefined, texts);
  if (entry.kind === "product") localizedEntry.variants = localizeVariants(entry, texts.option_values);
  return localizedEntry as unknown as E;
}

/** Returns the product and the variant of an offer in another language. */
export function localizeOffer({ product, variant }: OfferedVariant, locale: string): OfferedVariant {
  const localizedProduct = localize(product, locale);
  const localizedVariant = localizedProduct.variants.find(({ id }) => id === variant.id);
  return { product: localizedProduct, variant: localizedVariant ?? variant };
}

/** Returns the value for a locale, ignoring case: "pt-br" matches "pt-BR". */
export function getLocaleValue<T>(valuesByLocale: Readonly<Record<string, T>>, locale: string): T | undefined {
  if (Object.hasOwn(valuesByLocale, locale)) return valuesByLocale[locale];
  const lowerCaseLocale = locale.toLowerCase();
  for (const key in valuesByLocale) if (key.toLowerCase() === lowerCaseLocale) return valuesByLocale[key];
  return undefined;
}

/** Returns the tags of a product or article in a language. Faster than `localize`. */
export function localizeTags(
  { tags, translations }: Pick<Product, "tags" | "translations">,
  locale: string,
): readonly string[] {
  const translatedTags = getLocaleValue(translations, locale)?.tags;
  return isUsableTranslation("tags", tags, translatedTags) ? (translatedTags as readonly string[]) : tags;
}

/**
 * Converts the name of a translated field in a catalog file to a property name: "product_type" becomes "productType".
 */
function toPropertyName(entry: Entry, name: string): string | undefined {
  if (name === "body") return "description" in entry ? "description" : "content";
  const field = name === "product_type" ? "productType" : name;
  return field in entry && !["id", "handle", "kind", "variants", "seo", "translations"].includes(field)
    ? field
    : undefined;
}

/** Translates SEO texts. A translated title or description takes precedence over an untranslated SEO text. */
function localizeSeo(seo: Seo | undefined, texts: Readonly<Record<string, unknown>>): Seo {
  const translatedSeo = (texts.seo ?? {}) as Seo;
  const translatedBodies = [texts.excerpt, texts.description, texts.content, texts.body];
  const title = hasText(translatedSeo.title) ? translatedSeo.title : hasText(texts.title) ? undefined : seo?.title;
  const description = hasText(translatedSeo.description)
    ? translatedSeo.description
    : translatedBodies.some(hasText)
      ? undefined
      : seo?.description;
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

function hasText(text: unknown): text is string {
  return typeof text === "string" && text.trim() !== "";
}

/** Returns whether a translation is not empty and, for a list of option names, has as many names as the original. */
function isUsableTranslation(field: string, originalValue: unknown, translation: unknown): boolean {
  if (typeof originalValue === "string") return typeof translation === "string" && translation.trim() !== "";
  if (!Array.isArray(originalValue) || !Array.isArray(translation) || translation.length === 0) return false;
  return field !== "options" || translation.length === originalValue.length;
}

/** Translates option values, and variant titles that consist of option values. */
function localizeVariants(product: Product, values: unknown): readonly Variant[] {
  if (typeof values !== "object" || values === null) return product.variants;
  const translations = new Map(Object.entries(values));
  return product.variants.map((variant) => {
    const options = variant.options.map((option) => String(translations.get(option) ?? option));
    const isOptionTitle = variant.title === variant.options.join(" / ");
    return { ...variant, options, title: isOptionTitle ? options.join(" / ") : variant.title };
  });
}
