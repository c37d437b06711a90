import { isInflection } from "../analysis/inflections.ts";
import type { Tokenizer } from "../analysis/tokenizer.ts";
import type { QueryWord } from "./parse.ts";

/**
 * Phrases with the same meaning, for example `["sofa", "couch"]`. With `from` and `to`, queries with a phrase of `from`
 * also find documents with a phrase of `to`, but not the reverse.
 */
export type SynonymGroup = readonly string[] | { readonly from: readonly string[]; readonly to: readonly string[] };

/** Synonyms by the first character of their phrase, so that they are also found while the first word is incomplete. */
export type Synonyms = ReadonlyMap<string, readonly Synonym[]>;

interface Synonym {
  readonly phrase: readonly string[];
  readonly alternatives: readonly (readonly string[])[];
}

/** A phrase with synonyms in a query: words `from` to `to` (exclusive). */
export interface SynonymUsage {
  readonly from: number;
  readonly to: number;
  readonly phrases: readonly (readonly string[])[];
  /** Whether the last word is complete. */
  readonly isComplete: boolean;
}

export function prepareSynonyms(tokenizer: Tokenizer, groups: readonly SynonymGroup[]): Synonyms {
  const splitPhrases = (phrases: readonly string[]): string[][] =>
    phrases.map((phrase) => tokenizer.listTokens(phrase).map(({ text }) => text)).filter((phrase) => phrase.length > 0);
  const synonyms = new Map<string, Synonym[]>();
  for (const group of groups) {
    const sourcePhrases = splitPhrases("from" in group ? group.from : group);
    const targetPhrases = "from" in group ? splitPhrases(group.to) : sourcePhrases;
    for (const phrase of sourcePhrases) {
      const alternatives = targetPhrases.filter((otherPhrase) => otherPhrase !== phrase);
      if (alternatives.length === 0) continue;
      const firstCharacter = firstCharacterOf(phrase[0] ?? "");
      const synonymsOfCharacter = synonyms.get(firstCharacter);
      if (synonymsOfCharacter === undefined) synonyms.set(firstCharacter, [{ phrase, alternatives }]);
      else synonymsOfCharacter.push({ phrase, alternatives });
    }
  }
  return synonyms;
}

function firstCharacterOf(word: string): string {
  return word.slice(0, 1);
}

/** Finds phrases with synonyms in a query.  @param locale language of the words */
export function findSynonymUses(words: readonly QueryWord[], synonyms: Synonyms, locale: string): SynonymUsage[] {
  const synonymUses: SynonymUsage[] = [];
  if (synonyms.size === 0) return synonymUses;
  words.forEach((word, from) => {
    for (const { phrase, alternatives } of synonyms.get(firstCharacterOf(word.text)) ?? []) {
      const match = matchPhraseAt(words, from, phrase, locale);
      if (match !== undefined) synonymUses.push({ from, phrases: alternatives, ...match });
    }
  });
  return synonymUses;
}

function matchPhraseAt(
  words: readonly QueryWord[],
  from: number,
  phrase: readonly string[],
  locale: string,
): Pick<SynonymUsage, "to" | "isComplete"> | undefined {
  const firstWord = words[from] as QueryWord;
  if (firstWord.text === phrase.join("")) return { to: from + 1, isComplete: true };
  let isComplete = true;
  for (let index = 0; index < phrase.length; index += 1) {
    const word = words[from + index];
    const expectedWord = phrase[index] as string;
    if (word === undefined) return undefined;
    if (word.text === expectedWord || isInflection(expectedWord, word.text, locale)) continue;
    const isLastWord = index === phrase.length - 1;
    if (!isLastWord || !word.isPrefix || !expectedWord.startsWith(word.text)) return undefined;
    isComplete = false;
  }
  return { to: from + phrase.length, isComplete };
}
