import type { SearchDocument } from "@vitrine/search";
import type { Entry } from "../catalog/catalog.ts";
import { extractText } from "../catalog/html-text.ts";
import { getLocaleValue, localize } from "../catalog/localize.ts";
import type { Product } from "../catalog/product.ts";
import { isProductAvailable } from "../catalog/stock.ts";
import { fields } from "./schema.ts";

/** Numbers of the entry types in the search index. */
export const documentTypes = { product: 0, collection: 1, page: 2, article: 3, bundle: 4 } as const satisfies Record<
  Entry["kind"],
  number
>;

/** Numbers of the index fields, by the names that `resources[options][fields]` accepts. */
export const fieldNumbers: ReadonlyMap<string, number> = new Map([
  ["title", fields.title],
  ["product_type", fields.productType],
  ["variants.title", fields.variantTitle],
  ["vendor", fields.vendor],
  ["tag", fields.tag],
  ["variants.sku", fields.sku],
  ["variants.barcode", fields.barcode],
  ["body", fields.body],
  ["author", fields.author],
]);

/**
 * Returns the index documents of an entry: one in the default language, and one for each language that has
 * translations. Untranslated fields are in the default language.
 * @param number document number of the entry, the same in all languages
 */
export function listDocuments(
  entry: Entry,
  number: number,
  locales: { readonly default: string; readonly others: readonly string[] },
): SearchDocument[] {
  const translatedLocales = locales.others.filter((locale) => getLocaleValue(entry.translations, locale) !== undefined);
  return [
    createDocument(entry, number, locales.default),
    ...translatedLocales.map((locale) => createDocument(localize(entry, locale), number, locale)),
  ];
}

function createDocument(entry: Entry, number: number, locale: string): SearchDocument {
  const isProduct = entry.kind === "product";
  return {
    externalId: number,
    type: documentTypes[entry.kind],
    available: isProduct ? isProductAvailable(entry) : true,
    popularity: isProduct ? entry.popularity : 0,
    locale,
    ...getPhrases(entry),
    fields: getFieldTexts(entry).filter(([, text]) => text !== ""),
  };
}

/**
 * Returns which phrases of an entry are suggested as completions. Articles and bundles have none, because they are
 * visible only in a certain period.
 */
function getPhrases({ kind }: Entry): Pick<SearchDocument, "phrases"> {
  if (kind === "product") return { phrases: "runs" };
  return kind === "collection" || kind === "page" ? { phrases: "whole" } : {};
}

type FieldTexts = [number, string][];

function getFieldTexts(entry: Entry): FieldTexts {
  switch (entry.kind) {
    case "product":
      return createProductTexts(entry);
    case "collection":
      return [
        [fields.title, entry.title],
        [fields.body, extractText(entry.description)],
      ];
    case "page":
      return [
        [fields.title, entry.title],
        [fields.body, extractText(entry.content)],
      ];
    case "article":
      return [
        [fields.title, entry.title],
        [fields.author, entry.author],
        ...entry.tags.map((tag): [number, string] => [fields.tag, tag]),
        [fields.body, extractText(`${entry.excerpt} ${entry.content}`)],
      ];
    case "bundle":
      return entry.name === entry.title
        ? [[fields.title, entry.title]]
        : [
            [fields.title, entry.title],
            [fields.title, entry.name],
          ];
  }
}

function createProductTexts(product: Product): FieldTexts {
  const { variants } = product;
  const createFieldTexts = (field: number, texts: Iterable<string | undefined>): FieldTexts =>
    [...new Set(texts)].filter((text) => text !== undefined).map((text) => [field, text]);
  return [
    [fields.title, product.title],
    [fields.vendor, product.vendor],
    [fields.productType, product.productType],
    ...createFieldTexts(fields.tag, product.tags),
    ...createFieldTexts(
      fields.sku,
      variants.map(({ sku }) => sku),
    ),
    ...createFieldTexts(
      fields.barcode,
      variants.map(({ barcode }) => barcode),
    ),
    // Omit the variant title of a product without options, because it is only a placeholder.
    ...(product.options.length === 0
      ? []
      : createFieldTexts(
          fields.variantTitle,
          variants.flatMap(({ options }) => options.map((value, index) => describeOption(product, index, value))),
        )),
    [fields.body, extractText(product.description)],
  ];
}

/** Returns the text of an option value. A size gets the name of its option, so that "size 42" and "size M" find it. */
function describeOption({ options: names }: Product, index: number, value: string): string {
  return sizePattern.test(value) ? `${names[index]} ${value}` : value;
}

/** Matches a number and a letter size. */
const sizePattern = /^(?:\d+(?:[.,]\d+)?|(?:\d?x+)?[sml]|(?:(?:x+|extra)[- ]?)?(?:small|large)|medium)$/i;
