import { chunks } from "./analysis.ts";
import { forms, type QueryWord } from "./query.ts";

/** Groups of phrases that mean the same, each phrase in its words. */
export type Synonyms = readonly (readonly (readonly string[])[])[];

/** Words `from` up to, not including, `to` of a query stand for a phrase, and so for the others of its group. */
export interface SynonymUse {
  readonly from: number;
  readonly to: number;
  readonly phrases: readonly (readonly string[])[];
  /** False where the last word is still being typed. */
  readonly isComplete: boolean;
}

export function prepareSynonyms(groups: readonly (readonly string[])[]): Synonyms {
  return groups
    .map((group) =>
      group
        .map((phrase) => chunks(phrase).flatMap((chunk) => chunk.map((part) => part.text)))
        .filter((phrase) => phrase.length > 0),
    )
    .filter((group) => group.length > 1);
}

export function synonymUses(words: readonly QueryWord[], synonyms: Synonyms): SynonymUse[] {
  const uses: SynonymUse[] = [];
  for (const group of synonyms)
    for (const phrase of group) {
      const phrases = group.filter((other) => other !== phrase);
      for (let from = 0; from < words.length; from += 1) {
        const match = matchAt(words, from, phrase);
        if (match !== undefined) uses.push({ from, phrases, ...match });
      }
    }
  return uses;
}

function matchAt(
  words: readonly QueryWord[],
  from: number,
  phrase: readonly string[],
): Pick<SynonymUse, "to" | "isComplete"> | undefined {
  const first = words[from] as QueryWord;
  if (first.text === phrase.join("")) return { to: from + 1, isComplete: true };
  let isComplete = true;
  for (let index = 0; index < phrase.length; index += 1) {
    const word = words[from + index];
    const wanted = phrase[index] as string;
    if (word === undefined) return undefined;
    if (word.text === wanted || forms(word).includes(wanted)) continue;
    const isLast = index === phrase.length - 1;
    if (!isLast || !word.isPrefix || !wanted.startsWith(word.text)) return undefined;
    isComplete = false;
  }
  return { to: from + phrase.length, isComplete };
}
