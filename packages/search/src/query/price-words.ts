import { foldText } from "../analysis/fold.ts";
import { languageOf } from "../analysis/languages/registry.ts";
import type { Query } from "../search-index.ts";
import type { QueryWord } from "./parse.ts";

/**
 * Returns whether each word of a query is part of a price, as "20" and "euro" are in "lamp under 20 euro". Titles do not
 * contain prices, so such a word is another number or unit in them. The list is empty if the query contains no price.
 */
export function findPriceWords({ text, locale }: Query, words: readonly QueryWord[]): readonly boolean[] {
  if (!/[0-9]/.test(text)) return noWords;
  const { priceLimits = [] } = languageOf(locale) ?? {};
  const mayContainPrice =
    /[€$£¥]/.test(text) || words.some((word) => currencyNames.has(word.text) || isEndOfLimit(word.text, priceLimits));
  if (!mayContainPrice) return noWords;
  const foldedText = foldText(text);
  const prices = createPricePatterns(priceLimits).flatMap((pattern) => foldedText.match(pattern) ?? []);
  const priceWords = new Set(prices.flatMap((price) => price.split(/[^\p{L}\p{N}]+/u)));
  return words.map((word) => priceWords.has(word.text));
}

const noWords: readonly boolean[] = Object.freeze([]);
const currencyNames: ReadonlySet<string> = new Set(
  "euro euros eur usd dollar dollars gbp chf pln zl zlotych sek nok dkk kr kronor kroner 円".split(" "),
);

function isEndOfLimit(word: string, priceLimits: readonly string[]): boolean {
  return priceLimits.some((limit) => limit.endsWith(word));
}

/** Creates patterns for a number with a currency, and for "under 20" at the end of a query. */
function createPricePatterns(priceLimits: readonly string[]): RegExp[] {
  const number = "[0-9]+(?:[.,][0-9]+)?";
  const names = [...currencyNames].join("|");
  const patterns = [`[€$£¥] ?${number}|(?<![\\p{L}\\p{N}.,])${number} ?(?:[€$£¥]|(?:${names})(?![\\p{L}\\p{N}]))`];
  if (priceLimits.length > 0) patterns.push(`(?<![\\p{L}\\p{N}])(?:${priceLimits.join("|")}) ${number} ?$`);
  return patterns.map((pattern) => new RegExp(pattern, "gu"));
}
