import { chunks } from "./analysis.ts";
import { forms, type QueryWord } from "./query.ts";

/** Phrases that mean the same; or, with two sides, phrases by which others are found, and not the other way. */
export type SynonymGroup = readonly string[] | { readonly from: readonly string[]; readonly to: readonly string[] };

/** For each group: phrases of a query, and those they stand for, each in its words. */
export type Synonyms = readonly {
  readonly from: readonly (readonly string[])[];
  readonly to: readonly (readonly string[])[];
}[];

/** Words `from` up to, not including, `to` of a query stand for a phrase, and so for the others of its group. */
export interface SynonymUse {
  readonly from: number;
  readonly to: number;
  readonly phrases: readonly (readonly string[])[];
  /** False where the last word is still being typed. */
  readonly isComplete: boolean;
}

export function prepareSynonyms(groups: readonly SynonymGroup[]): Synonyms {
  return groups.flatMap((group) => {
    if ("from" in group) {
      const [from, to] = [inWords(group.from), inWords(group.to)];
      return from.length > 0 && to.length > 0 ? [{ from, to }] : [];
    }
    const phrases = inWords(group);
    return phrases.length > 1 ? [{ from: phrases, to: phrases }] : [];
  });
}

function inWords(phrases: readonly string[]): string[][] {
  return phrases
    .map((phrase) => chunks(phrase).flatMap((chunk) => chunk.map((part) => part.text)))
    .filter((phrase) => phrase.length > 0);
}

/** @param locale whose words they are */
export function synonymUses(words: readonly QueryWord[], synonyms: Synonyms, locale: string): SynonymUse[] {
  const uses: SynonymUse[] = [];
  for (const group of synonyms)
    for (const phrase of group.from) {
      const phrases = group.to.filter((other) => other !== phrase);
      for (let from = 0; from < words.length; from += 1) {
        const match = matchAt(words, from, phrase, locale);
        if (match !== undefined) uses.push({ from, phrases, ...match });
      }
    }
  return uses;
}

function matchAt(
  words: readonly QueryWord[],
  from: number,
  phrase: readonly string[],
  locale: string,
): Pick<SynonymUse, "to" | "isComplete"> | undefined {
  const first = words[from] as QueryWord;
  if (first.text === phrase.join("")) return { to: from + 1, isComplete: true };
  let isComplete = true;
  for (let index = 0; index < phrase.length; index += 1) {
    const word = words[from + index];
    const wanted = phrase[index] as string;
    if (word === undefined) return undefined;
    if (word.text === wanted || forms(word, locale).includes(wanted)) continue;
    const isLast = index === phrase.length - 1;
    if (!isLast || !word.isPrefix || !wanted.startsWith(word.text)) return undefined;
    isComplete = false;
  }
  return { to: from + phrase.length, isComplete };
}
