import type { SearchLanguage } from "./languages/language.ts";
import { languageOf } from "./languages/registry.ts";
import { isFunctionWord } from "./particles.ts";
import { replaceDigraphs } from "./spellings.ts";

/** Minimum numbers of letters in a compound, in its last word, and in the part before its last word. */
const minPartLetters = { compound: 7, last: 3, first: 3 } as const;
/** Minimum number of letters of a word that is searched at the end of longer words, and indexed with them. */
export const minLastWordLetters = 4;

/** Returns whether a language joins words to longer words, as German does: "Regenjacke" (rain jacket). */
export function hasCompounds(locale: string): boolean {
  return languageOf(locale)?.compoundLinks !== undefined;
}

/**
 * Finds the last word of each compound: "Regenjacke" ends with "Jacke". The last word, and the part before it, must be
 * terms too.
 * @param terms unique terms in lower case without accents
 * @returns map from the index of a compound to the index of its last word; empty for languages without compounds
 */
export function findLastWords(terms: readonly string[], locale: string): ReadonlyMap<number, number> {
  const lastWordTerms = new Map<number, number>();
  const language = languageOf(locale);
  if (language?.compoundLinks === undefined) return lastWordTerms;
  const termIndices = new Map(terms.map((text, term) => [text, term]));
  for (const [text, term] of termIndices)
    for (const position of listSplitPositions(text, minLastWordLetters)) {
      const lastWord = termIndices.get(text.slice(position));
      if (
        lastWord === undefined ||
        !listFirstPartForms(text.slice(0, position), language).some((firstPartForm) => termIndices.has(firstPartForm))
      )
        continue;
      lastWordTerms.set(term, lastWord);
      break;
    }
  return lastWordTerms;
}

/** A split of a compound into its first and its last word. */
export interface CompoundParts {
  /** Possible forms of the first word, such as "arbeits" and "arbeit", or "woll" and "wolle". */
  readonly firstPartForms: readonly string[];
  readonly lastPart: string;
}

/**
 * Returns the possible splits of a compound, whose first part is not a function word. The list is empty in languages
 * without compounds.
 */
export function splitCompound(text: string, locale: string): CompoundParts[] {
  const language = languageOf(locale);
  if (language?.compoundLinks === undefined) return [];
  const compound = replaceDigraphs(text, locale);
  return listSplitPositions(compound, minPartLetters.last).map((position) => ({
    firstPartForms: listFirstPartForms(compound.slice(0, position), language).filter(
      (part) => !isFunctionWord(part, locale),
    ),
    lastPart: compound.slice(position),
  }));
}

/**
 * Returns compounds of two words in which the first word changes: "Arbeitshose" for "Arbeit" and "Hose", "Wollmütze"
 * for "Wolle" and "Mütze".
 * @param secondWord second word, which may be incomplete
 */
export function composeCompounds(firstWord: string, secondWord: string, locale: string): string[] {
  const { compoundLinks, compoundDrops = [] } = languageOf(locale) ?? {};
  const isTooShort =
    firstWord.length < minPartLetters.first || firstWord.length + secondWord.length < minPartLetters.compound;
  if (compoundLinks === undefined || isTooShort || !/^\p{L}+$/u.test(firstWord + secondWord)) return [];
  const droppedEndings = compoundDrops.filter((ending) => firstWord.endsWith(ending));
  const firstParts = [
    ...compoundLinks.map((link) => firstWord + link),
    ...droppedEndings.map((ending) => firstWord.slice(0, -ending.length)),
  ];
  return firstParts.map((firstPart) => firstPart + secondWord);
}

/** Returns the positions at which the last word of a compound may start. */
function listSplitPositions(text: string, minLastLetters: number): number[] {
  if (text.length < minPartLetters.compound || !/^\p{L}+$/u.test(text)) return [];
  return Array.from(
    { length: text.length - minPartLetters.first - minLastLetters + 1 },
    (_, position) => position + minPartLetters.first,
  );
}

function listFirstPartForms(firstPart: string, { compoundLinks = [], compoundDrops = [] }: SearchLanguage): string[] {
  const links = compoundLinks.filter((link) => firstPart.endsWith(link) && firstPart.length > link.length);
  return [
    firstPart,
    ...links.map((link) => firstPart.slice(0, -link.length)),
    ...compoundDrops.map((ending) => firstPart + ending),
  ];
}
