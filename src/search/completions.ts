import { cutQuery } from "./analysis.ts";
import { completePhrases } from "./completing.ts";
import { findText, prefixRange } from "./dictionary.ts";
import type { View } from "./part.ts";
import { mostFromOne } from "./phrase-counter.ts";
import { type Phrases, phraseKey } from "./phrases.ts";
import { findsAsTyped } from "./search.ts";
import type { Query } from "./search-index.ts";
import type { Synonyms } from "./synonyms.ts";

export interface CompletionQuery {
  /** As typed. */
  readonly text: string;
  readonly locale: string;
  readonly limit: number;
  readonly accept: Query["accept"] | undefined;
}

/** Phrases that complete what was typed, best first: what shoppers searched, then what the catalogue calls its things; where no
 *  phrase begins with all that was typed, its last words are completed. What then has no completion and finds nothing as it
 *  stands is read as misspelt, in any of its words.
 *  @returns at most `limit`, lower case, none of `<>"`; each finds something as it stands */
export function complete(
  { text, locale, limit, accept }: CompletionQuery,
  views: readonly View[],
  synonyms: Synonyms,
  popular: Phrases,
): string[] {
  const typed = phraseKey(cutQuery(text));
  if (typed === "" || limit <= 0) return [];
  const asked = { locale, limits: new Map(), typos: false, unavailable: "show", ...(accept && { accept }) } as const;
  const living = views.filter(({ part, dead }) => deadIn(dead) < part.documents.numbers.length);
  return completePhrases(typed, limit, {
    popular: { phrases: popular, sureAbove: Number.POSITIVE_INFINITY },
    // A phrase comes from documents, which it finds unless each of them was changed or deleted since.
    catalogue: living.map(({ part, dead }) => ({ phrases: part.phrases, sureAbove: deadIn(dead) * mostFromOne })),
    finds: (shown) => findsAsTyped({ ...asked, text: shown }, living, synonyms),
    isWord: (word, isPrefix) =>
      living.some(({ part: { terms } }) => {
        if (!isPrefix) return findText(terms, word) >= 0;
        const { low, high } = prefixRange(terms, word);
        return low < high;
      }),
  });
}

const counts = new WeakMap<Uint8Array, number>();

/** How many documents do not count. */
function deadIn(dead: Uint8Array | undefined): number {
  if (dead === undefined) return 0;
  let count = counts.get(dead);
  if (count === undefined) {
    count = dead.reduce((sum, one) => sum + one, 0);
    counts.set(dead, count);
  }
  return count;
}
