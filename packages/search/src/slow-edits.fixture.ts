import { isFunctionWord } from "./analysis/particles.ts";
import { countAllowedEdits, formEdits, getCommonStart, minOneEditLetters } from "./fuzzy/allowed-edits.ts";
import { listMisspelledForms } from "./fuzzy/find-fuzzy-matches.ts";
import { getFuzzyKind } from "./fuzzy/fuzzy-matches.ts";
import type { QueryWord } from "./query/parse.ts";
import { isFuzzyKind, type MatchKind } from "./scoring/score.ts";

interface PrefixDistance {
  readonly edits: number;
  /** Whether the entire term has this edit distance, and not only a prefix of the term. */
  readonly isFullTerm: boolean;
}

/** Returns the minimum number of edits between a word and any prefix of a term before its first digit. */
export function findNearestPrefix(term: string, word: string): PrefixDistance {
  let secondLastRow: number[] = [];
  let row = Array.from({ length: word.length + 1 }, (_, column) => column);
  let minEdits = word.length;
  const letters = term.replace(/[0-9].*/, "");
  for (let depth = 1; depth <= letters.length; depth += 1) {
    const nextRow = [depth];
    for (let column = 1; column <= word.length; column += 1) {
      const cost = letters[depth - 1] === word[column - 1] ? 0 : 1;
      const isTransposition =
        depth > 1 && column > 1 && letters[depth - 1] === word[column - 2] && letters[depth - 2] === word[column - 1];
      nextRow[column] = Math.min(
        (row[column] ?? 0) + 1,
        (nextRow[column - 1] ?? 0) + 1,
        (row[column - 1] ?? 0) + cost,
        isTransposition ? (secondLastRow[column - 2] ?? 0) + 1 : 99,
      );
    }
    secondLastRow = row;
    row = nextRow;
    minEdits = Math.min(minEdits, row[word.length] ?? 99);
  }
  return { edits: minEdits, isFullTerm: letters === term && row[word.length] === minEdits };
}

/** Like `findNearestPrefix`, but one edit of another form of the word counts as one edit. */
function findNearestSpelling(term: string, word: string, locale: string): PrefixDistance {
  const distance = findNearestPrefix(term, word);
  const isMisspelled = (form: string): boolean => {
    const { edits, isFullTerm } = findNearestPrefix(term, form);
    return edits === 1 && isFullTerm;
  };
  const isForm = distance.edits > 1 && listMisspelledForms(word, locale).some(isMisspelled);
  return isForm ? { edits: 1, isFullTerm: true } : distance;
}

/** Returns whether a word is never a misspelling of a term. */
function isOmitted(term: string, locale: string): boolean {
  return term.length < minOneEditLetters && isFunctionWord(term, locale);
}

/** Returns the kind of match between a misspelled word and a term, or an empty list.  @param edits allowed edits */
export function listTypoKinds(term: string, word: string, locale: string, edits: number): MatchKind[] {
  if (edits === 0 || isOmitted(term, locale)) return [];
  const allowsForms = edits === formEdits;
  const nearest = allowsForms ? findNearestSpelling(term, word, locale) : findNearestPrefix(term, word);
  const kind = getFuzzyKind(nearest.edits, nearest.isFullTerm);
  const isWithinLimit = nearest.edits > 0 && nearest.edits <= (allowsForms ? 1 : edits);
  return isWithinLimit && kind !== "twoTyposPrefix" ? [kind] : [];
}

/**
 * Returns whether a match counts in the body field: a longer term only for a word that may be incomplete, and a
 * misspelling only if the complete term has the same first letters.
 */
export function isBodyMatch(kind: MatchKind, term: string, { text, isPrefix }: QueryWord): boolean {
  if (isFuzzyKind(kind)) return kind !== "typoPrefix" && term.startsWith(getCommonStart(text));
  return isPrefix || kind !== "prefix";
}

/** Returns the number of edits for a word.  @param isKnown whether a document contains the word, perhaps as a prefix */
export function findMaxEdits(terms: ReadonlySet<string>, word: string, locale: string, isKnown: boolean): number {
  const maxEdits = countAllowedEdits(word);
  if (maxEdits === 0) return 0;
  const isTypo = ({ edits, isFullTerm }: PrefixDistance): boolean => edits === 1 && isFullTerm;
  const similarTerms = [...terms].filter((term) => !isOmitted(term, locale));
  const distances = similarTerms.map((term) => findNearestPrefix(term, word));
  const isForm = (term: string): boolean => isTypo(findNearestSpelling(term, word, locale));
  if (!isKnown && !distances.some(isTypo) && similarTerms.some(isForm)) return formEdits;
  return maxEdits > 1 && distances.some(({ edits }) => edits === 1) ? 1 : maxEdits;
}
