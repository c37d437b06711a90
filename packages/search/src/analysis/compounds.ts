import type { Language } from "./languages/language.ts";
import { languageOf } from "./languages/registry.ts";

/** Minimum letters of a compound, of its last word, and of the part before it. */
const shortest = { compound: 8, last: 4, first: 3 } as const;
export const lastWordLetters: number = shortest.last;

/** Returns whether a language has compound words. */
export function hasCompounds(locale: string): boolean {
  return languageOf(locale)?.compoundLinks !== undefined;
}

/**
 * Finds the last words of compounds: "Regenjacke" ends in "Jacke". Both words of a compound must be terms.
 * @param terms folded, unique
 * @returns index of a compound -> index of its last word; empty in languages without compounds
 */
export function lastWordsOfCompounds(terms: readonly string[], locale: string): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const language = languageOf(locale);
  if (language?.compoundLinks === undefined) return found;
  const known = new Map(terms.map((text, term) => [text, term]));
  for (const [text, term] of known)
    for (const at of cutsOf(text)) {
      const last = known.get(text.slice(at));
      if (last === undefined || !firstsOf(text.slice(0, at), language).some((first) => known.has(first))) continue;
      found.set(term, last);
      break;
    }
  return found;
}

/** Parts of a word if it is a compound. */
export interface CompoundParts {
  /** Possible forms of its first word: "arbeits" and "arbeit", "woll" and "wolle". */
  readonly firsts: readonly string[];
  readonly last: string;
}

/** Possible splits of a compound; empty in languages without compounds. */
export function partsOfCompound(text: string, locale: string): CompoundParts[] {
  const language = languageOf(locale);
  if (language?.compoundLinks === undefined) return [];
  return cutsOf(text).map((at) => ({ firsts: firstsOf(text.slice(0, at), language), last: text.slice(at) }));
}

/**
 * Compounds of two words except their plain concatenation: "Arbeitshose" of "Arbeit" and "Hose", "Wollmütze" of "Wolle"
 * and "Mütze".
 * @param other may be incomplete
 */
export function compoundsOfPair(first: string, other: string, locale: string): string[] {
  const { compoundLinks, compoundDrops = [] } = languageOf(locale) ?? {};
  const isShort = first.length < shortest.first || first.length + other.length < shortest.compound;
  if (compoundLinks === undefined || isShort || !/^\p{L}+$/u.test(first + other)) return [];
  const dropped = compoundDrops.filter((ending) => first.endsWith(ending));
  const beginnings = [
    ...compoundLinks.map((link) => first + link),
    ...dropped.map((ending) => first.slice(0, -ending.length)),
  ];
  return beginnings.map((beginning) => beginning + other);
}

/** Possible start positions of the last word. */
function cutsOf(text: string): number[] {
  if (text.length < shortest.compound || !/^\p{L}+$/u.test(text)) return [];
  return Array.from({ length: text.length - shortest.first - shortest.last + 1 }, (_, at) => at + shortest.first);
}

function firstsOf(beginning: string, { compoundLinks = [], compoundDrops = [] }: Language): string[] {
  const links = compoundLinks.filter((link) => beginning.endsWith(link) && beginning.length > link.length);
  return [
    beginning,
    ...links.map((link) => beginning.slice(0, -link.length)),
    ...compoundDrops.map((ending) => beginning + ending),
  ];
}
