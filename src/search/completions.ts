import { cutQuery } from "./analysis.ts";
import { prefixRange, textAt } from "./dictionary.ts";
import type { View } from "./part.ts";
import { type Phrases, phraseKey, presentable } from "./phrases.ts";
import { attempts, findsAny } from "./search.ts";
import type { Query } from "./search-index.ts";
import type { Synonyms } from "./synonyms.ts";
import { TopK } from "./top-k.ts";
import { allowedEdits, typoRuns } from "./typo.ts";

/** Candidates looked at for each place that is to be filled: some find nothing any more, or say what another says. */
const candidatesPerPlace = 4;

export interface CompletionQuery {
  /** As typed. */
  readonly text: string;
  readonly locale: string;
  readonly limit: number;
  readonly accept: Query["accept"] | undefined;
}

/** Phrases that complete what was typed, best first: what shoppers searched, then what the catalogue calls its things; where no
 *  phrase begins with all that was typed, its last word is completed; where that is unknown, it is corrected.
 *  @returns at most `limit`, lower case, none of `<>"`; each finds something as it stands */
export function complete(
  { text, locale, limit, accept }: CompletionQuery,
  views: readonly View[],
  synonyms: Synonyms,
  popular: Phrases,
): string[] {
  const typed = phraseKey(cutQuery(text));
  if (typed === "" || limit <= 0) return [];
  const found = new Map<string, string>();
  const finds = createFinder(locale, accept, views, synonyms);
  const take = (phrases: Iterable<string>, isSure = false) => {
    for (const phrase of phrases) {
      if (found.size >= limit) return;
      const shown = presentable(phrase);
      const key = phraseKey(shown);
      if (key !== "" && !found.has(key) && (isSure || finds(shown))) found.set(key, shown);
    }
  };
  // A phrase comes from a document, which it finds unless that one was changed or deleted since.
  const isWhole = views.every(({ dead }) => dead === undefined);
  const phrases = views.map(({ part }) => part.phrases);
  take(phrasesBeginning([popular], typed, limit * candidatesPerPlace));
  take(phrasesBeginning(phrases, typed, limit * candidatesPerPlace), isWhole);
  if (found.size < limit) take(lastWordCompleted(phrases, typed, limit));
  if (found.size === 0) take(lastWordCorrected(phrases, typed, limit));
  return [...found.values()];
}

function phrasesBeginning(sets: readonly Phrases[], typed: string, count: number): string[] {
  const weights = new Map<string, number>();
  for (const { keys, texts, weights: known } of sets) {
    const { low, high } = prefixRange(keys, typed);
    const best = new TopK(count);
    for (let place = low; place < high; place += 1) best.offer(known[place] as number, place);
    for (const { number, score } of best.take()) {
      const phrase = textAt(texts, number);
      weights.set(phrase, (weights.get(phrase) ?? 0) + score);
    }
  }
  return [...weights].sort((one, other) => other[1] - one[1]).map(([phrase]) => phrase);
}

function* lastWordCompleted(sets: readonly Phrases[], typed: string, limit: number): Generator<string> {
  const words = typed.split(" ");
  const last = words.pop() ?? "";
  if (words.length === 0) return;
  for (const phrase of phrasesBeginning(sets, last, limit * candidatesPerPlace))
    if (!phrase.includes(" ")) yield `${words.join(" ")} ${phrase}`;
}

function* lastWordCorrected(sets: readonly Phrases[], typed: string, limit: number): Generator<string> {
  const words = typed.split(" ");
  const last = words.pop() ?? "";
  const edits = allowedEdits(last);
  if (edits === 0) return;
  const best = new TopK(limit * candidatesPerPlace);
  const phrases: string[] = [];
  for (const { keys, texts, weights } of sets) {
    for (const run of typoRuns(keys, last, edits))
      for (let place = run.low; place < run.high; place += 1) {
        // Fewer edits first; a weight never makes up for one.
        const score = (weights[place] as number) / 0x100000000 - run.edits;
        if (!best.wants(score, phrases.length)) continue;
        best.offer(score, phrases.length);
        phrases.push(textAt(texts, place));
      }
  }
  for (const { number } of best.take()) yield [...words, phrases[number]].join(" ");
}

/** Tells whether a text finds something as it stands: all its words, none misspelt. */
function createFinder(
  locale: string,
  accept: Query["accept"],
  views: readonly View[],
  synonyms: Synonyms,
): (text: string) => boolean {
  const asked = { locale, limits: new Map(), typos: false, unavailable: "show", ...(accept && { accept }) } as const;
  return (text) => {
    const query = { ...asked, text };
    const [first] = attempts(query, views, synonyms);
    return first !== undefined && findsAny(first);
  };
}
