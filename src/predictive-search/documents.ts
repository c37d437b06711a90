import type { Entry } from "../catalog/catalog.ts";
import { localize } from "../catalog/localize.ts";
import type { Product } from "../catalog/product.ts";
import { isProductAvailable } from "../catalog/stock.ts";
import { fields } from "../search/ranking.ts";
import type { SearchDocument } from "../search/search-index.ts";

/** Numbers by which the index tells kinds of entries apart. */
export const documentTypes = { product: 0, collection: 1, page: 2, article: 3, bundle: 4 } as const satisfies Record<
  Entry["kind"],
  number
>;

/** Names of `resources[options][fields]` and the fields of the index they mean. */
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

/** What the index is to know of an entry: a document in the default language, and one more for each other language it is
 *  translated to (what is not translated is in the default language there too).
 *  @param number the entry's document number, the same in all languages */
export function searchDocuments(
  entry: Entry,
  number: number,
  locales: { readonly default: string; readonly others: readonly string[] },
): SearchDocument[] {
  const translated = locales.others.filter((locale) => Object.hasOwn(entry.translations, locale));
  return [
    searchDocument(entry, number, locales.default),
    ...translated.map((locale) => searchDocument(localize(entry, locale), number, locale)),
  ];
}

function searchDocument(entry: Entry, number: number, locale: string): SearchDocument {
  const isProduct = entry.kind === "product";
  return {
    number,
    type: documentTypes[entry.kind],
    available: isProduct ? isProductAvailable(entry) : true,
    popularity: isProduct ? entry.popularity : 0,
    locale,
    ...phrasesOf(entry),
    fields: textsOf(entry).filter(([, text]) => text !== ""),
  };
}

/** Articles and bundles are hidden by their dates, so nothing is suggested because of them. */
function phrasesOf({ kind }: Entry): Pick<SearchDocument, "phrases"> {
  if (kind === "product") return { phrases: "runs" };
  return kind === "collection" || kind === "page" ? { phrases: "whole" } : {};
}

type Texts = [number, string][];

function textsOf(entry: Entry): Texts {
  switch (entry.kind) {
    case "product":
      return productTexts(entry);
    case "collection":
      return [
        [fields.title, entry.title],
        [fields.body, plainText(entry.description)],
      ];
    case "page":
      return [
        [fields.title, entry.title],
        [fields.body, plainText(entry.content)],
      ];
    case "article":
      return [
        [fields.title, entry.title],
        [fields.author, entry.author],
        ...entry.tags.map((tag): [number, string] => [fields.tag, tag]),
        [fields.body, plainText(`${entry.excerpt} ${entry.content}`)],
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

function productTexts(product: Product): Texts {
  const { variants } = product;
  const each = (field: number, texts: Iterable<string | undefined>): Texts =>
    [...new Set(texts)].filter((text) => text !== undefined).map((text) => [field, text]);
  return [
    [fields.title, product.title],
    [fields.vendor, product.vendor],
    [fields.productType, product.productType],
    ...each(fields.tag, product.tags),
    ...each(
      fields.sku,
      variants.map(({ sku }) => sku),
    ),
    ...each(
      fields.barcode,
      variants.map(({ barcode }) => barcode),
    ),
    // A product without options has one variant with a title that says so, in no shopper's words.
    ...(product.options.length === 0
      ? []
      : each(
          fields.variantTitle,
          variants.flatMap(({ options }) => options),
        )),
    [fields.body, plainText(product.description)],
  ];
}

/** The words of HTML, without its tags, comments, scripts and styles. Takes time in proportion to its length, whatever it holds. */
export function plainText(html: string): string {
  if (!html.includes("<") && !html.includes("&")) return html;
  let text = "";
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const end = open < 0 ? html.length : open;
    text += html.slice(at, end);
    if (open < 0) break;
    at = endOfTag(html, open);
    text += at === open + 1 ? "<" : " ";
  }
  return text
    .replace(/&(#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
      return character(name.toLowerCase()) ?? whole;
    })
    .replace(/\s+/g, " ")
    .trim();
}

/** Where the text goes on after the `<` at `open`: behind it where it opens no tag. */
function endOfTag(html: string, open: number): number {
  const name = /^<(!--|[a-z/!?][a-z]{0,10})/i.exec(html.slice(open, open + 12))?.[1]?.toLowerCase();
  if (name === undefined) return open + 1;
  const closing = name === "!--" ? "-->" : name === "script" || name === "style" ? `</${name}` : ">";
  // Lower and upper case of a closing tag are looked for apart: lowering all of a text at every tag would take square time.
  let close = html.indexOf(closing, open + 1);
  if (close < 0) close = html.indexOf(closing.toUpperCase(), open + 1);
  return close < 0 ? html.length : close + closing.length + (closing.startsWith("</") ? 1 : 0);
}

const entities = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

function character(name: string): string | undefined {
  if (!name.startsWith("#")) return entities.get(name);
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
}
