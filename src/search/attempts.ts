import { doubtsOf } from "./doubts.ts";
import { expand, type Plan, type Reading } from "./expansion.ts";
import { bentRanges } from "./misspellings.ts";
import type { View } from "./part.ts";
import { parseQuery, type QueryWord } from "./query.ts";
import { type FieldPoints, fieldPoints, namingPoints, rarity } from "./ranking.ts";
import type { Query } from "./search-index.ts";
import type { Synonyms } from "./synonyms.ts";
import { allowedEdits } from "./typo.ts";
import { sizeOf } from "./word-places.ts";

/** A query read in some way, over all parts it is asked of. */
export interface Attempt {
  readonly query: Query;
  readonly words: readonly QueryWord[];
  readonly counted: FieldPoints;
  readonly views: readonly View[];
  /** By view, by word. */
  readonly plans: readonly (readonly Plan[])[];
  /** Set where words may be dropped. */
  readonly loose?: Loose;
}

/** How words are dropped: what holds most of them is found. */
export interface Loose {
  /** By word: points for having it. */
  readonly rarities: readonly number[];
  /** How many words a document must hold. */
  readonly count: number;
  /** Words count in descriptions too. */
  readonly withBody: boolean;
}

/** Longer queries are not read with every word misspelt: some word can always be bent until something fits. */
const maxWordsAllBent = 8;
/** Words of a query that rarely finds a document that holds all of them. */
const longQuery = 3;

/** The readings of a query, from strict to free: as typed, with all words as beginnings, with unknown words misspelt, and with all
 *  words misspelt.
 *  @param finds whether a reading finds anything, or one of its words alone a document that counts
 *  @returns the reading of which words may be dropped where none is answered; none where there is but one word */
export function* attempts(
  query: Query,
  views: readonly View[],
  synonyms: Synonyms,
  finds: (attempt: Attempt, word?: number) => boolean,
): Generator<Attempt, Attempt | undefined> {
  const words = parseQuery(query.text);
  if (words.length === 0) return undefined;
  const none = words.map(() => 0);
  const everywhere = fieldPoints(query.fields);
  const read = (reading: Reading, counted = everywhere): Attempt => ({
    query,
    words,
    counted,
    views,
    plans: views.map(({ part }) => expand(part, words, reading, synonyms)),
  });
  const most = words.map(
    ({ text, isGram }) =>
      () =>
        query.typos && !isGram ? editsOf(text, views) : 0,
  );
  let known: Attempt | undefined;
  const whole = (): Attempt => {
    known ??= read({ wholeWords: true, edits: none });
    return known;
  };
  const isFinished = words.some((word) => !word.isPrefix && !word.isGram);
  const typed = isFinished ? read({ wholeWords: false, edits: none }) : whole();
  const doubts = query.typos ? doubtsOf(typed, whole, (word) => most[word]?.() ?? 0) : { strict: none, free: none };
  const doubted = (reading: Attempt, wholeWords: boolean, edits: readonly number[]) =>
    edits.some((count) => count > 0) ? read({ wholeWords, edits }) : reading;
  let last = doubted(typed, false, doubts.free);
  if (isFinished) {
    // Long queries mostly find nothing: what is not found freely need not be looked for strictly.
    if (words.length < longQuery || finds(last)) {
      yield doubted(whole(), true, doubts.strict);
      yield last;
    }
  } else yield last;
  const edits = most.map((editsOfWord) => editsOfWord());
  const bent = edits.map((allowed, word) =>
    allowed > 0 && !finds(typed, word) ? allowed : (doubts.free[word] as number),
  );
  if (bent.some((allowed, word) => allowed > (doubts.free[word] as number))) {
    last = read({ wholeWords: false, edits: bent });
    yield last;
  }
  if (words.length === 1) return undefined;
  if (words.length <= maxWordsAllBent && edits.some((allowed, word) => allowed > (bent[word] as number)))
    yield read({ wholeWords: false, edits }, namingPoints(query.fields));
  return last;
}

/** The query with each of its words as it was typed and whole; undefined where it has none. */
export function exactReading(query: Query, views: readonly View[], synonyms: Synonyms): Attempt | undefined {
  const words = parseQuery(query.text).map((word) => ({ ...word, isPrefix: false }));
  if (words.length === 0) return undefined;
  const reading = { wholeWords: true, edits: words.map(() => 0) };
  const plans = views.map(({ part }) => expand(part, words, reading, synonyms));
  return { query, words, counted: fieldPoints(query.fields), views, plans };
}

/** How many edits a word is read with: two only where one makes no term of it. */
function editsOf(text: string, views: readonly View[]): number {
  const most = allowedEdits(text);
  return most > 1 && views.some(({ part }) => bentRanges(part, text, 1).lows.length > 0) ? 1 : most;
}

/** By word: the points for holding it where words may be dropped, more for words that few documents hold. */
export function raritiesOf({ words, views, plans }: Attempt): number[] {
  const documents = views.reduce((sum, { part }) => sum + part.documents.numbers.length, 0);
  return words.map((_, word) => {
    const size = views.reduce((sum, _, index) => sum + sizeOf(plans[index]?.[word] as Plan, true), 0);
    return rarity(size, documents);
  });
}
