import { readDataLines } from "../../../../../bench/store.ts";
import { wordsOf } from "../edits.ts";
import type { JudgedQuery } from "../judged.ts";
import { type Article, articleQueries } from "./articles.ts";

interface Source {
  readonly id: string;
  readonly name: string;
  readonly category_path: string;
}

/** Minimum number of product names that must end with the same words for these words to count as a brand. */
const minBrandCount = 5;
const untypedCategory =
  /^(otros?|otras?|varios|varias|y|surtid[oa]s?)$|^(otros|otras) |^(accesorios|decoración|cuidado|gato|perro|spray|cremas?)$/;

/**
 * Creates queries for a Spanish supermarket. Product kinds come from the last part of the category path, and brands
 * from capitalized words at the end of product names.
 */
export function supermarketQueries(): JudgedQuery[] {
  const sources = readDataLines("catalogues/mercadona-es-4k.jsonl").map((line) => JSON.parse(line) as Source);
  const endCounts = new Map<string, number>();
  for (const { name } of sources) endCounts.set(capitalizedEnd(name), (endCounts.get(capitalizedEnd(name)) ?? 0) + 1);
  const articles = sources.map(({ id, name, category_path: path }): Article => {
    const end = capitalizedEnd(name);
    const brand = (endCounts.get(end) ?? 0) >= minBrandCount ? end : "";
    const words = wordsOf(brand === "" ? name : name.slice(0, name.lastIndexOf(brand)));
    return { id, title: name, brand, category: path, kinds: kindsOf(path), words: new Set(words) };
  });
  return articleQueries(articles, { seed: 23, fillers: ["barato", "oferta", "bueno", "cheap"] });
}

/**
 * Returns the capitalized words at the end of a name, such as "Hacendado" in "Chocolate líquido a la taza Hacendado".
 */
function capitalizedEnd(name: string): string {
  return /(?: (\p{Lu}[\p{L}'’.]+))+$/u.exec(name)?.[0].trim() ?? "";
}

function kindsOf(path: string): readonly string[] {
  const leaf = path.split(" > ").at(-1)?.toLowerCase() ?? "";
  return leaf
    .split(/\s*,\s*| y | e /)
    .map((part) => part.trim())
    .filter((part) => part.length > 2 && !untypedCategory.test(part));
}
