import { createIds } from "../../../../../bench/convert/source-lines.ts";
import { readDataLines } from "../../../../../bench/store.ts";
import { wordsOf } from "../edits.ts";
import type { JudgedQuery } from "../judged.ts";
import { type Article, articleQueries } from "./articles.ts";

interface Source {
  readonly gtin: number;
  readonly brand?: string;
  readonly title: string;
  readonly category?: string;
}

/** Words in the shop's category names that shoppers do not type. */
const untypedPart = /^(co|sonstige.*|für .*|getränke|produkte|zubehör|taschen|gesicht|teint|geschenksets|.*produkte)$/;

/**
 * Creates queries for a German drugstore. Product kinds come from the category names, brands from the brand column, and
 * varieties from the titles.
 */
export function drugstoreQueries(): JudgedQuery[] {
  const idOf = createIds();
  const articles = readDataLines("catalogues/dm-de-18k.jsonl").map((line): Article => {
    const { gtin, brand = "", title, category = "" } = JSON.parse(line) as Source;
    return { id: idOf(gtin), title, brand, category, kinds: kindsOf(category), words: new Set(wordsOf(title)) };
  });
  return articleQueries(articles, { seed: 22, fillers: ["günstig", "gute", "beste", "cheap"] });
}

/**
 * Splits a category name into kinds of products: "badezusatz" and "badesalz" for "Badezusatz & Badesalz". Shoppers type
 * only one of them.
 */
function kindsOf(category: string): readonly string[] {
  return category
    .toLowerCase()
    .replace("co.", "co")
    .split(/\s*[,&/]\s*| und /)
    .map((part) => part.trim())
    .filter((part) => part.length > 2 && !part.startsWith("-") && !part.endsWith("-") && !untypedPart.test(part));
}
