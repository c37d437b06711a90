import { foldText } from "../analysis/fold.ts";
import { languageOf } from "../analysis/languages/registry.ts";
import type { Query } from "../search-index.ts";
import type { QueryWord } from "./parse.ts";

/**
 * Returns whether each word of a query is part of a price, as "20" and "euro" are in "lamp under 20 euro". Titles do not
 * contain prices, so such a word is another number or unit in them.
 */
export function findPriceWords({ text, locale }: Query, words: readonly QueryWord[]): readonly boolean[] {
  if (!/[0-9]/.test(text)) return words.map(() => false);
  const foldedText = foldText(text);
  const patterns = [pricePattern, ...getLimitPatterns(locale)];
  const prices = patterns.flatMap((pattern) => [...foldedText.matchAll(pattern)].map(([price]) => price));
  const priceWords = new Set(prices.flatMap((price) => price.split(/[^\p{L}\p{N}]+/u)));
  return words.map((word) => priceWords.has(word.text));
}

const number = "[0-9]+(?:[.,][0-9]+)?";
const currencyNames = "euros?|eur|usd|dollars?|gbp|chf|pln|zl|zlotych|sek|nok|dkk|kr|kronor|kroner|円";
/** Matches a number with a currency. */
const pricePattern = new RegExp(
  `[€$£¥] ?${number}|(?<![\\p{L}\\p{N}.,])${number} ?(?:[€$£¥]|(?:${currencyNames})(?![\\p{L}\\p{N}]))`,
  "gu",
);

const limitPatterns = new Map<string, readonly RegExp[]>();

/** Returns the pattern of "under 20" at the end of a query, or an empty list if the language has no such words. */
function getLimitPatterns(locale: string): readonly RegExp[] {
  const { code = "", priceLimits = [] } = languageOf(locale) ?? {};
  const cachedPatterns = limitPatterns.get(code);
  if (cachedPatterns !== undefined) return cachedPatterns;
  const patterns =
    priceLimits.length === 0 ? [] : [new RegExp(`(?<![\\p{L}\\p{N}])(?:${priceLimits.join("|")}) ${number} ?$`, "gu")];
  limitPatterns.set(code, patterns);
  return patterns;
}
