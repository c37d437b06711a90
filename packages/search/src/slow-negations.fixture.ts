import { hasCompounds } from "./analysis/compounds.ts";
import { listForms } from "./analysis/inflections.ts";
import { languageOf } from "./analysis/languages/registry.ts";
import { countAllowedEdits } from "./fuzzy/allowed-edits.ts";
import { fieldMaskOf, maxPosition, positionOf, purposeBitIndex } from "./index/postings.ts";
import type { QueryWord } from "./query/parse.ts";
import type { ParsedDocument } from "./slow-document.fixture.ts";
import { findNearestPrefix } from "./slow-edits.fixture.ts";

/**
 * Returns whether a document contains a negated word and does not state that it lacks it: reference implementation of
 * `rejectNegatedWords`, for tests.
 * @param knownTerms terms of all documents
 */
export function containsNegatedWord(
  { primary }: ParsedDocument,
  { text, isPrefix }: QueryWord,
  locale: string,
  knownTerms: ReadonlySet<string>,
  allowsTypos: boolean,
): boolean {
  const { negations = [], absences = [] } = languageOf(locale) ?? {};
  const wordForms = [text, ...listForms({ text, isGram: false }, locale)];
  const mayBeMisspelled = allowsTypos && countAllowedEdits(text) > 0 && !wordForms.some((form) => knownTerms.has(form));
  const isTypo = (term: string) => {
    const { edits, isFullTerm } = findNearestPrefix(term, text);
    return edits === 1 && isFullTerm;
  };
  const forms = mayBeMisspelled ? [...wordForms, ...[...knownTerms].filter(isTypo)] : wordForms;
  const minLength = hasCompounds(locale) || isPrefix ? 4 : Number.POSITIVE_INFINITY;
  const endings = [...primary.keys()].flatMap((term) =>
    forms.filter((form) => term.startsWith(form)).map((form) => term.slice(form.length)),
  );
  if (endings.some((ending) => ending !== "" && absences.some((absence) => ending.startsWith(absence)))) return false;
  const bothBits = 1 | (1 << purposeBitIndex);
  const marks = [...primary].filter(([term]) => [...negations, ...absences, "0"].includes(term));
  const occurrences = [...primary].filter(([term]) =>
    forms.some((form) => term === form || (term.startsWith(form) && form.length >= minLength)),
  );
  return occurrences.some(([, payload]) => {
    const position = positionOf(payload);
    return !marks.some(([mark, markPayload]) => {
      const distance = position - positionOf(markPayload);
      if (distance < 0) return absences.includes(mark) && distance >= -2;
      const isNear = distance <= 2 || position === maxPosition || (fieldMaskOf(markPayload) & bothBits) === bothBits;
      return distance > 0 && isNear;
    });
  });
}
