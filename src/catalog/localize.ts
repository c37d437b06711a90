import type { Entry } from "./catalog.ts";
import type { Product, Seo, Variant } from "./product.ts";

/**
 * Returns an entry in another language. The result has no translations, so localizing it again changes nothing, even if
 * a translated option value equals another value's name ("S" is "M" in French).
 * @returns `entry` itself if it has no translation
 */
export function localize<E extends Entry>(entry: E, locale: string): E {
  const texts = inLocale(entry.translations, locale);
  if (texts === undefined) return entry;
  const merged: Record<string, unknown> = { ...entry, translations: {} };
  for (const [name, text] of Object.entries(texts)) {
    const field = fieldOf(entry, name);
    if (field !== undefined && mayReplace(field, merged[field], text)) merged[field] = text;
  }
  if (texts.seo !== undefined || "seo" in entry)
    merged.seo = localizeSeo("seo" in entry ? entry.seo : undefined, texts);
  if (entry.kind === "product") merged.variants = localizeVariants(entry, texts.option_values);
  return merged as unknown as E;
}

/** Returns the value for a locale, ignoring case: "pt-br" matches "pt-BR". */
export function inLocale<T>(byLocale: Readonly<Record<string, T>>, locale: string): T | undefined {
  if (Object.hasOwn(byLocale, locale)) return byLocale[locale];
  const requested = locale.toLowerCase();
  for (const key in byLocale) if (key.toLowerCase() === requested) return byLocale[key];
  return undefined;
}

/** Returns the tags of a product or article in a language. Faster than `localize`. */
export function localTags(
  { tags, translations }: Pick<Product, "tags" | "translations">,
  locale: string,
): readonly string[] {
  const translated = inLocale(translations, locale)?.tags;
  return mayReplace("tags", tags, translated) ? (translated as readonly string[]) : tags;
}

/** Returns the property name for a translated field of a catalog file. */
function fieldOf(entry: Entry, name: string): string | undefined {
  if (name === "body") return "description" in entry ? "description" : "content";
  const field = name === "product_type" ? "productType" : name;
  return field in entry && !["id", "handle", "kind", "variants", "seo", "translations"].includes(field)
    ? field
    : undefined;
}

/** Translates SEO texts. A translated title or description takes precedence over an untranslated SEO text. */
function localizeSeo(seo: Seo | undefined, texts: Readonly<Record<string, unknown>>): Seo {
  const localized = (texts.seo ?? {}) as Seo;
  const bodies = [texts.excerpt, texts.description, texts.content, texts.body];
  const title = isWritten(localized.title) ? localized.title : isWritten(texts.title) ? undefined : seo?.title;
  const description = isWritten(localized.description)
    ? localized.description
    : bodies.some(isWritten)
      ? undefined
      : seo?.description;
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

function isWritten(text: unknown): text is string {
  return typeof text === "string" && text.trim() !== "";
}

/** Returns whether a translation is usable: not an empty text, and not a list of option names with another length. */
function mayReplace(field: string, before: unknown, after: unknown): boolean {
  if (typeof before === "string") return typeof after === "string" && after.trim() !== "";
  if (!Array.isArray(before) || !Array.isArray(after) || after.length === 0) return false;
  return field !== "options" || after.length === before.length;
}

/** Translates option values, and variant titles that consist of option values. */
function localizeVariants(product: Product, values: unknown): readonly Variant[] {
  if (typeof values !== "object" || values === null) return product.variants;
  const translations = new Map(Object.entries(values));
  return product.variants.map((variant) => {
    const options = variant.options.map((option) => String(translations.get(option) ?? option));
    const isMadeOfOptions = variant.title === variant.options.join(" / ");
    return { ...variant, options, title: isMadeOfOptions ? options.join(" / ") : variant.title };
  });
}
