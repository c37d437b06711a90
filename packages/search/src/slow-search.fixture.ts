import { findLastWords } from "./analysis/compounds.ts";
import { isFunctionWord } from "./analysis/particles.ts";
import { allowedEdits } from "./fuzzy/allowed-edits.ts";
import { parseQuery, type QueryWord } from "./query/parse.ts";
import { bodyOnlyPoints, categoryPoints, pointUnit, type Tier, tierPoints } from "./scoring/score.ts";
import type { Hit, Query, SearchDocument } from "./search-index.ts";
import { categoryOf, slowCategoryBonuses } from "./slow-categories.fixture.ts";
import { readDocument, type Words, withLastWords } from "./slow-document.fixture.ts";
import { type Cell, everyField, primaryFields, scoreOf } from "./slow-score.fixture.ts";
import { cellOf, isDoubtful, nearestBeginning, type Reading, raritiesOf, termsOf } from "./slow-word.fixture.ts";

// The definition of search in readable form. It reads every document, word by word.

/** Documents that a tier finds, and how. */
interface SlowTier {
  readonly tier: Tier;
  readonly found: readonly SlowMatch[];
}

interface SlowMatch {
  readonly document: SearchDocument;
  /** Best match of each word of the tier. */
  readonly cells: readonly (Cell | undefined)[];
  readonly score: number;
  readonly missing: number;
}

/**
 * @param allDocuments documents of all segments, including deleted documents, whose words are known
 * @param currentDocuments documents that are not deleted
 * @returns all results of the query by type, tier by tier
 */
export function slowSearch(
  all: readonly SearchDocument[],
  living: readonly SearchDocument[],
  query: Query,
): Map<number, (Hit & { readonly tier: Tier })[]> {
  const tiers = slowTiers(all, living, query);
  const answer = new Map<number, (Hit & { readonly tier: Tier })[]>();
  for (const [type, limit] of query.limits) {
    const hits: (Hit & { readonly tier: Tier })[] = [];
    for (const { tier, found } of tiers) {
      const most = hits.length === 0 && tier !== "partial" ? limit : Math.min(limit, query.fill ?? limit);
      const more = found
        .filter(({ document }) => document.type === type && (query.unavailable !== "hide" || document.available))
        .filter(({ document }) => !hits.some(({ externalId }) => externalId === document.externalId))
        .map(({ document: { externalId }, score, missing }) => ({
          externalId,
          type,
          score: score / pointUnit,
          missing,
          tier,
        }))
        .sort((one, other) => other.score - one.score || one.externalId - other.externalId);
      hits.push(...more.slice(0, Math.max(0, most - hits.length)));
    }
    answer.set(type, hits);
  }
  return answer;
}

function slowTiers(all: readonly SearchDocument[], living: readonly SearchDocument[], query: Query): SlowTier[] {
  const words = parseQuery(query.text);
  if (words.length === 0) return [];
  const counted = query.fields ?? everyField;
  const asWritten = all.map(readDocument);
  const terms = new Set(asWritten.flatMap(({ primary, body }) => [...primary.keys(), ...body]));
  const lasts = findLastWords([...terms], query.locale);
  const everything = asWritten.map((one) => withLastWords(one, [...terms], lasts));
  const read = new Map(all.map((document, index) => [document, everything[index] as Words]));
  const editsOf = ({ text, isGram }: QueryWord): number => {
    const most = query.typos && !isGram ? allowedEdits(text) : 0;
    return most > 1 && [...terms].some((term) => nearestBeginning(term, text).edits === 1) ? 1 : most;
  };
  const reading = (index: number, wholeWords: boolean, edits: number, of = words): Reading => ({
    locale: query.locale,
    known: terms,
    words: of,
    index,
    wholeWords,
    edits,
  });
  const isAnywhere = (one: Reading) => everything.some((text) => cellOf(text, one, everyField));
  const most = words.map(editsOf);
  const suspects = words.map((_, index) =>
    isDoubtful(everything, reading(index, false, 0), most[index] ?? 0) ? (most[index] ?? 0) : 0,
  );
  const isWhole = words.map((_, index) => isAnywhere(reading(index, true, 0)));
  const free = suspects.map((edits, index) => (isWhole[index] || words[index]?.isPrefix ? edits : (most[index] ?? 0)));
  const isKnown = words.map((_, index) =>
    living.some((one) => cellOf(read.get(one) as Words, reading(index, false, 0), counted)),
  );
  const fuzzy = free.map((edits, index) => (isKnown[index] ? edits : (most[index] ?? 0)));
  const accepted = living.filter(
    (one) => query.accept?.(one.externalId, one.type ?? 0, one.available ?? true) !== false,
  );
  const match = (
    document: SearchDocument,
    readings: readonly Reading[],
    fieldsOf: number,
    rarities: readonly number[],
  ) => readings.map((one, word) => cellOf(read.get(document) as Words, one, fieldsOf, rarities[word]));
  /** Returns the documents that contain all words. */
  const conjunction = (tier: Tier, readings: readonly Reading[], fieldsOf = counted): SlowTier => {
    const rarities = raritiesOf(everything, readings);
    const found = accepted
      .map((document) => ({ document, cells: match(document, readings, fieldsOf, rarities) }))
      .filter(({ cells }) => cells.every((cell) => cell !== undefined))
      .map(({ document, cells }) => {
        const isDescribed = cells.some((cell) => cell?.position === -1);
        const more = tierPoints(tier) + (isDescribed ? bodyOnlyPoints : 0);
        return {
          document,
          cells,
          missing: 0,
          score: scoreOf(document, cells, rarities, read.get(document) as Words, query) + more,
        };
      });
    return { tier, found };
  };
  const readingsOf = (wholeWords: boolean, edits: readonly number[]) =>
    words.map((_, index) => reading(index, wholeWords, edits[index] ?? 0));

  const tiers: SlowTier[] = [];
  const isAnyFound = () => tiers.some(({ found }) => found.length > 0);
  if (words.some((word) => !word.isPrefix && !word.isGram)) {
    tiers.push(conjunction("typed", readingsOf(true, suspects)), conjunction("prefixes", readingsOf(false, free)));
  } else tiers.push(conjunction("typed", readingsOf(false, free)));
  const freest = isAnyFound() ? free : fuzzy;
  if (!isAnyFound()) tiers.push(conjunction("unknownFuzzy", readingsOf(false, fuzzy)));
  if (words.length === 1) return tiers;

  // Each word is matched as strictly as any document contains it.
  const whole = words.map((word) => ({ ...word, isPrefix: false }));
  const typed = words.map(({ isPrefix, isGram, text }, index) =>
    reading(index, true, 0, isPrefix && !isGram && text.length < 3 ? whole : words),
  );
  const isTyped = typed.map((one, index) => suspects[index] === 0 && isAnywhere(one));
  const readings = typed.map((one, index) => {
    if (isTyped[index]) return one;
    return suspects[index] ? reading(index, true, suspects[index]) : reading(index, false, freest[index] ?? 0);
  });
  const isFunction = words.map(({ text, isInQuantity }) => !isInQuantity && isFunctionWord(text, query.locale));
  const areAllFunction = !isFunction.includes(false);
  const isDropped = isFunction.map((one) => one && !areAllFunction);
  const kept = readings.filter((_, index) => !isDropped[index]);
  if (isDropped.includes(true) && kept.length > 1) tiers.push(conjunction("withoutFunctionWords", kept));
  const known = typed.filter((_, index) => isTyped[index] && !isDropped[index]);
  if (!isAnyFound() && words.length <= 8) {
    const primary = counted & primaryFields;
    const { tier, found } = conjunction("allFuzzy", readingsOf(false, most), primary);
    const holdsHalf = ({ document }: SlowMatch) =>
      match(document, known, primary, []).filter((cell) => cell !== undefined).length * 2 >= known.length;
    tiers.push({ tier, found: known.length < 2 ? found : found.filter(holdsHalf) });
  }
  if (isDropped.includes(true) && kept.length === 1) tiers.push(conjunction("onlyWord", kept));
  const isCode = words.map(({ chunk, isGram }) => {
    const inChunk = words.filter((word) => word.chunk === chunk);
    return !isGram && inChunk.length > 1 && inChunk.some(({ text }) => /[0-9]/.test(text));
  });
  const isWeak = words.map(({ text, isGram }, index) => isDropped[index] || (!isGram && [...text].length === 1));
  const areAllWeak = words.every((_, index) => isWeak[index] && !isCode[index]);
  /** Returns whether the contained words make a document a result. All words of a code must match. */
  const areGround = (held: readonly boolean[]) =>
    words.some(({ chunk }, index) => {
      if (isCode[index]) return words.every((word, at) => word.chunk !== chunk || (held[at] && isTyped[at]));
      return held[index] && isTyped[index] && !isDropped[index] && (!isWeak[index] || areAllWeak);
    });
  const rarities = raritiesOf(everything, readings, true);
  const bonuses = slowCategoryBonuses(
    all,
    readings.flatMap((one, index) =>
      isTyped[index] && !isDropped[index] ? [everything.map((text) => termsOf(text, one))] : [],
    ),
  );
  const partial = accepted.flatMap((document): SlowMatch[] => {
    const cells = match(document, readings, counted, rarities);
    if (!areGround(cells.map((cell) => cell !== undefined))) return [];
    const isNamed = areGround(cells.map((cell) => (cell?.position ?? -1) >= 0));
    const points = cells.reduce((sum, cell) => sum + (cell?.points ?? 0), 0);
    const score =
      scoreOf(document, cells, rarities, read.get(document) as Words, query) +
      categoryPoints(points, bonuses.get(categoryOf(document)) ?? 0);
    const missing = cells.filter((cell, index) => cell === undefined && !isDropped[index]).length;
    return [{ document, cells, missing, score: score + tierPoints("partial") + (isNamed ? 0 : bodyOnlyPoints) }];
  });
  return [...tiers, { tier: "partial", found: partial }];
}
