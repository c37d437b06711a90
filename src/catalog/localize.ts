import type { Entry } from "./catalog.ts";
import type { Product, Variant } from "./product.ts";

/** An entry in another language: its translated fields merged in, the others as they are.
 *  @returns `entry` itself where nothing of it is translated */
export function localize<E extends Entry>(entry: E, locale: string): E {
  const texts = Object.hasOwn(entry.translations, locale) ? entry.translations[locale] : undefined;
  if (texts === undefined) return entry;
  const merged: Record<string, unknown> = { ...entry };
  for (const [name, text] of Object.entries(texts)) {
    const field = fieldOf(entry, name);
    if (field !== undefined && isSameShape(merged[field], text)) merged[field] = text;
  }
  if (entry.kind === "product") merged.variants = localizeVariants(entry, texts.option_values);
  return merged as unknown as E;
}

/** The entry's own name of a translated field of a catalogue file. */
function fieldOf(entry: Entry, name: string): string | undefined {
  if (name === "body") return "description" in entry ? "description" : "content";
  const field = name === "product_type" ? "productType" : name;
  return field in entry && !["id", "handle", "kind", "variants", "translations"].includes(field) ? field : undefined;
}

/** A blank text or a list of another length (names of options) would lose what is there. */
function isSameShape(before: unknown, after: unknown): boolean {
  if (typeof before === "string") return typeof after === "string" && after.trim() !== "";
  return Array.isArray(before) && Array.isArray(after) && (before.length === after.length || after.length > 0);
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
