import type { Entry } from "./catalog.ts";
import type { Product, Seo, Variant } from "./product.ts";

/** An entry in another language: its translated fields merged in, the others as they are. It has no translations any more, so that what
 *  is translated already stays as it is, though its option values may be names of others ("S" is "M" in French, "M" is "L").
 *  @returns `entry` itself where nothing of it is translated */
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

/** What there is for a locale, whose case does not matter: "pt-br" is "pt-BR". */
export function inLocale<T>(byLocale: Readonly<Record<string, T>>, locale: string): T | undefined {
  if (Object.hasOwn(byLocale, locale)) return byLocale[locale];
  const wanted = locale.toLowerCase();
  for (const key in byLocale) if (key.toLowerCase() === wanted) return byLocale[key];
  return undefined;
}

/** The tags of a product or an article in a language; cheaper than all of `localize`. */
export function localTags(
  { tags, translations }: Pick<Product, "tags" | "translations">,
  locale: string,
): readonly string[] {
  const translated = inLocale(translations, locale)?.tags;
  return mayReplace("tags", tags, translated) ? (translated as readonly string[]) : tags;
}

/** The entry's own name of a translated field of a catalogue file. */
function fieldOf(entry: Entry, name: string): string | undefined {
  if (name === "body") return "description" in entry ? "description" : "content";
  const field = name === "product_type" ? "productType" : name;
  return field in entry && !["id", "handle", "kind", "variants", "seo", "translations"].includes(field)
    ? field
    : undefined;
}

/** What is translated of a page goes before what search engines are told of it in another language. */
function localizeSeo(seo: Seo | undefined, texts: Readonly<Record<string, unknown>>): Seo {
  const own = (texts.seo ?? {}) as Seo;
  const bodies = [texts.excerpt, texts.description, texts.content, texts.body];
  const title = isWritten(own.title) ? own.title : isWritten(texts.title) ? undefined : seo?.title;
  const description = isWritten(own.description)
    ? own.description
    : bodies.some(isWritten)
      ? undefined
      : seo?.description;
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

function isWritten(text: unknown): text is string {
  return typeof text === "string" && text.trim() !== "";
}

/** A blank text would lose what is there, and so would fewer or more names of options than variants have values. */
function mayReplace(field: string, before: unknown, after: unknown): boolean {
  if (typeof before === "string") return typeof after === "string" && after.trim() !== "";
  if (!Array.isArray(before) || !Array.isArray(after) || after.length === 0) return false;
  return field !== "options" || after.length === before.length;
}

/** Option values by their translations; a title made of them is made again. */
function localizeVariants(product: Product, values: unknown): readonly Variant[] {
  if (typeof values !== "object" || values === null) return product.variants;
  const translations = new Map(Object.entries(values));
  return product.variants.map((variant) => {
    const options = variant.options.map((option) => String(translations.get(option) ?? option));
    const isMadeOfOptions = variant.title === variant.options.join(" / ");
    return { ...variant, options, title: isMadeOfOptions ? options.join(" / ") : variant.title };
  });
}
