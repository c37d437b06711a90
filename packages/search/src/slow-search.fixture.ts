import { findLastWords } from "./analysis/compounds.ts";
import { endsWithNoun, isFunctionWord } from "./analysis/particles.ts";
import { Tokenizer } from "./analysis/tokenizer.ts";
import { fieldMaskOf } from "./index/postings.ts";
import { findNegations } from "./query/negations.ts";
import { parseQuery, type QueryWord } from "./query/parse.ts";
import { fields } from "./schema.fixture.ts";
import {
  bodyOnlyScore,
  computeCategoryScore,
  getTierScore,
  type MatchTier,
  nameRarityFactor,
  unitsPerPoint,
} from "./scoring/score.ts";
import type { Hit, Query, SearchDocument } from "./search-index.ts";
import { computeReferenceBonuses, getDocumentCategory } from "./slow-categories.fixture.ts";
import { replaceUnknownCompounds } from "./slow-compounds.fixture.ts";
import { addLastWords, type ParsedDocument, readDocument } from "./slow-document.fixture.ts";
import { findMaxEdits } from "./slow-edits.fixture.ts";
import { createEvidenceTest } from "./slow-evidence.fixture.ts";
import { containsNegatedWord } from "./slow-negations.fixture.ts";
import { allFieldsMask, computeScore, primaryFieldsMask, type WordMatch } from "./slow-score.fixture.ts";
import {
  computeRarities,
  countTerms,
  findWordMatch,
  isMisspellingCandidate,
  type WordMatchInput,
} from "./slow-word.fixture.ts";

// Reference implementation of search for tests, written for readability. It compares each document with each word.

const tokenizer = new Tokenizer();

/** Fields of kind `phrase` (bit n: field n). */
const nameFieldsMask = (1 << fields.vendor) | (1 << fields.productType);

/** The documents that one tier of matches adds to the results. */
interface ReferenceTier {
  readonly tier: MatchTier;
  readonly matches: readonly ReferenceMatch[];
}

interface ReferenceMatch {
  readonly document: SearchDocument;
  /** Best match of each word of the query in the document. */
  readonly wordMatches: readonly (WordMatch | undefined)[];
  readonly score: number;
  readonly missingCount: number;
}

/**
 * @param allDocuments documents of all segments; words of deleted documents count as known words
 * @param currentDocuments documents that are not deleted
 * @returns all results of the query by type, tier by tier
 */
export function searchExhaustively(
  allDocuments: readonly SearchDocument[],
  currentDocuments: readonly SearchDocument[],
  query: Query,
): Map<number, (Hit & { readonly tier: MatchTier })[]> {
  const tiers = listReferenceTiers(allDocuments, currentDocuments, query);
  const hitsByType = new Map<number, (Hit & { readonly tier: MatchTier })[]>();
  for (const [type, limit] of query.limits) {
    const hits: (Hit & { readonly tier: MatchTier })[] = [];
    for (const { tier, matches } of tiers) {
      const maxHits = hits.length === 0 && tier !== "partial" ? limit : Math.min(limit, query.fill ?? limit);
      const newHits = matches
        .filter(({ document }) => document.type === type && (query.unavailable !== "hide" || document.available))
        .filter(({ document }) => !hits.some(({ externalId }) => externalId === document.externalId))
        .map(({ document: { externalId }, score, missingCount }) => ({
          externalId,
          type,
          score: score / unitsPerPoint,
          missing: missingCount,
          tier,
        }))
        .sort((a, b) => b.score - a.score || a.externalId - b.externalId);
      hits.push(...newHits.slice(0, Math.max(0, maxHits - hits.length)));
    }
    hitsByType.set(type, hits);
  }
  return hitsByType;
}

function listReferenceTiers(
  allDocuments: readonly SearchDocument[],
  currentDocuments: readonly SearchDocument[],
  query: Query,
  words: readonly QueryWord[] = parseQuery(tokenizer, query.text),
): ReferenceTier[] {
  if (words.length === 0) return [];
  const { locale, fields: fieldMask = allFieldsMask } = query;
  const parsedDocuments = allDocuments.map(readDocument);
  const terms = new Set(parsedDocuments.flatMap(({ primary, body }) => [...primary.keys(), ...body]));
  const lastWordTerms = findLastWords([...terms], query.locale);
  const allWords = parsedDocuments.map((document) => addLastWords(document, [...terms], lastWordTerms));
  const wordsByDocument = new Map(allDocuments.map((document, index) => [document, allWords[index] as ParsedDocument]));
  const findEditCount = ({ text, isGram }: QueryWord, isKnown: boolean): number =>
    query.typos && !isGram ? findMaxEdits(terms, text, query.locale, isKnown) : 0;
  const createMatchOptions = (
    index: number,
    needsCompleteWords: boolean,
    edits: number,
    queryWords = words,
  ): WordMatchInput => ({ locale, knownTerms: terms, words: queryWords, index, needsCompleteWords, edits });
  const isInAnyDocument = (strictness: WordMatchInput) =>
    allWords.some((text) => findWordMatch(text, strictness, allFieldsMask));
  const maxEdits = words.map((word) => findEditCount(word, true));
  const candidateEdits = words.map((_, index) =>
    isMisspellingCandidate(allWords, createMatchOptions(index, false, 0), maxEdits[index] ?? 0)
      ? (maxEdits[index] ?? 0)
      : 0,
  );
  const isCompleteWord = words.map((_, index) => isInAnyDocument(createMatchOptions(index, true, 0)));
  const maxAllowedEdits = candidateEdits.map((edits, index) =>
    isCompleteWord[index] || words[index]?.isPrefix ? edits : (maxEdits[index] ?? 0),
  );
  const knownWordFlags = words.map((_, index) =>
    currentDocuments.some((document) =>
      findWordMatch(wordsByDocument.get(document) as ParsedDocument, createMatchOptions(index, false, 0), fieldMask),
    ),
  );
  const editLimits = words.map((word, index) => findEditCount(word, knownWordFlags[index] === true));
  const fuzzyEdits = maxAllowedEdits.map((edits, index) => (knownWordFlags[index] ? edits : (editLimits[index] ?? 0)));
  const negations = findNegations(tokenizer, query, words);
  const isNegated = words.map((_, index) => negations?.isNegated[index] === true);
  const negatedWords = words.filter((_, index) => isNegated[index]);
  const acceptedDocuments = currentDocuments.filter(
    (document) =>
      query.accept?.(document.externalId, document.type ?? 0, document.available ?? true) !== false &&
      !negatedWords.some((word) => {
        const parsedDocument = wordsByDocument.get(document) as ParsedDocument;
        return containsNegatedWord(parsedDocument, word, query.locale, terms, query.typos === true);
      }),
  );
  const matchWords = (
    document: SearchDocument,
    strictnesses: readonly WordMatchInput[],
    searchedFieldMask: number,
    rarities: readonly number[],
    needsAllWords: boolean,
  ) =>
    strictnesses.map((strictness, word) => {
      const mayNameProduct = needsAllWords && strictnesses.length > 1 && endsWithNoun(query.locale);
      const namesProduct = mayNameProduct && words[strictness.index]?.namesProduct === true;
      const parsedDocument = wordsByDocument.get(document) as ParsedDocument;
      const { isPrefix, isQuantityPart } = words[strictness.index] as QueryWord;
      const isOpen = needsAllWords && isPrefix && isQuantityPart !== true;
      const isUnfinished = strictnesses.length === 1 || (word === strictnesses.length - 1 && isOpen);
      return findWordMatch(parsedDocument, strictness, searchedFieldMask, rarities[word], {
        namesProduct,
        isUnfinished,
      });
    });
  /** Returns the documents that contain all words. */
  const findConjunction = (
    tier: MatchTier,
    strictnesses: readonly WordMatchInput[],
    searchedFieldMask = fieldMask,
  ): ReferenceTier => {
    const rarities = computeRarities(allWords, strictnesses);
    const matches = acceptedDocuments
      .map((document) => {
        const wordMatches = matchWords(document, strictnesses, searchedFieldMask, rarities, true);
        return { document, wordMatches };
      })
      .filter(({ wordMatches }) => wordMatches.every((wordMatch) => wordMatch !== undefined))
      .map(({ document, wordMatches }) => {
        const isInBodyOnly = wordMatches.some((wordMatch) => wordMatch?.position === -1);
        const extraScore = getTierScore(tier) + (isInBodyOnly ? bodyOnlyScore : 0);
        return {
          document,
          wordMatches,
          missingCount: 0,
          score:
            computeScore(document, wordMatches, rarities, wordsByDocument.get(document) as ParsedDocument, query) +
            extraScore,
        };
      });
    return { tier, matches };
  };
  const listMatchOptions = (needsCompleteWords: boolean, edits: readonly number[]) =>
    words.map((_, index) => createMatchOptions(index, needsCompleteWords, edits[index] ?? 0));

  const tiers: ReferenceTier[] = [];
  const prefixStrictnesses = listMatchOptions(false, maxAllowedEdits);
  const hasAnyMatch = () => tiers.some(({ matches }) => matches.length > 0);
  if (words.some((word) => !word.isPrefix && !word.isGram)) {
    tiers.push(findConjunction("typed", listMatchOptions(true, candidateEdits)));
    tiers.push(findConjunction("prefixes", prefixStrictnesses));
  } else tiers.push(findConjunction("typed", prefixStrictnesses));
  const compoundStrictnesses = prefixStrictnesses.map((options) => ({ ...options, matchesCompoundEnds: true }));
  tiers.push(findConjunction("compoundEnds", compoundStrictnesses));
  const isKnownWord = words.map(
    (_, index) => knownWordFlags[index] === true || ![0, 2].includes(editLimits[index] ?? 0),
  );
  const lastParts =
    hasAnyMatch() || !query.typos ? words : replaceUnknownCompounds(words, terms, isKnownWord, query.locale);
  const lastPartTiers = lastParts.some((word, index) => word !== words[index])
    ? listReferenceTiers(allDocuments, currentDocuments, query, lastParts)
    : [];
  if (lastPartTiers.length > 0 && words.length === 1) return lastPartTiers;
  const typedTierCount = tiers.length;
  const unknownWordEdits = hasAnyMatch() ? maxAllowedEdits : fuzzyEdits;
  if (!hasAnyMatch()) tiers.push(findConjunction("unknownFuzzy", listMatchOptions(false, fuzzyEdits)));
  if (words.length === 1) return tiers;

  // Each word must match in the strictest way in which any document contains it: complete, as a prefix, or misspelled.
  const wholeWords = words.map((word) => ({ ...word, isPrefix: false }));
  const wordStrictnesses = words.map(({ isPrefix, isGram, text }, index) =>
    createMatchOptions(index, true, 0, isPrefix && !isGram && text.length < 3 ? wholeWords : words),
  );
  const isExactWord = wordStrictnesses.map(
    (strictness, index) => candidateEdits[index] === 0 && isInAnyDocument(strictness),
  );
  const strictnesses = wordStrictnesses.map((strictness, index) => {
    const negation = { isNegated: isNegated[index] === true };
    if (isExactWord[index]) return { ...strictness, ...negation };
    return candidateEdits[index]
      ? { ...createMatchOptions(index, true, candidateEdits[index]), ...negation }
      : { ...createMatchOptions(index, false, unknownWordEdits[index] ?? 0), ...negation };
  });
  const isFunctionTerm = words.map(
    ({ text, isQuantityPart: isPartOfQuantity }, index) =>
      !isPartOfQuantity && (isFunctionWord(text, query.locale) || negations?.isNegating[index] === true),
  );
  const areAllFunctionWords = !isFunctionTerm.includes(false);
  const isIgnoredWord = isFunctionTerm.map((isFunction) => isFunction && !areAllFunctionWords);
  const remainingStrictnesses = strictnesses.filter((_, index) => !isIgnoredWord[index]);
  if (isIgnoredWord.includes(true) && remainingStrictnesses.length > 1)
    tiers.push(findConjunction("withoutFunctionWords", remainingStrictnesses));
  const isInformative = isExactWord.map((isExact, index) => isExact && !isIgnoredWord[index] && !isNegated[index]);
  const knownWordStrictnesses = wordStrictnesses.filter((_, index) => isInformative[index]);
  if (!hasAnyMatch() && words.length <= 8) {
    const primaryBits = fieldMask & primaryFieldsMask;
    const { tier, matches } = findConjunction("allFuzzy", listMatchOptions(false, editLimits), primaryBits);
    const hasHalfOfWords = ({ document }: ReferenceMatch) =>
      matchWords(document, knownWordStrictnesses, primaryBits, [], false).filter((wordMatch) => wordMatch !== undefined)
        .length *
        2 >=
      knownWordStrictnesses.length;
    tiers.push({ tier, matches: knownWordStrictnesses.length < 2 ? matches : matches.filter(hasHalfOfWords) });
  }
  if (isIgnoredWord.includes(true) && remainingStrictnesses.length === 1)
    tiers.push(findConjunction("onlyWord", remainingStrictnesses));
  const isStrongMatch = createEvidenceTest(
    words,
    isExactWord,
    isIgnoredWord.map((isIgnored, index) => isIgnored || isNegated[index] === true),
  );
  const isSufficientMatch = isStrongMatch(words.map(() => true))
    ? isStrongMatch
    : createEvidenceTest(words, isExactWord, isIgnoredWord);
  const rarities = computeRarities(allWords, strictnesses, true).map((rarity, index) => {
    const termCounts = allWords.map((text) => {
      const nameTerms = [...text.primary].filter(([, value]) => fieldMaskOf(value) & nameFieldsMask);
      const strictness = { ...(strictnesses[index] as WordMatchInput), edits: 0 };
      return 2 * countTerms({ ...text, primary: new Map(nameTerms) }, strictness) - countTerms(text, strictness);
    });
    const isName = termCounts.reduce((sum, count) => sum + count, 0) > 0;
    return isName ? Math.round(rarity * nameRarityFactor) : rarity;
  });
  const bonuses = computeReferenceBonuses(
    allDocuments,
    strictnesses.flatMap((strictness, index) =>
      isInformative[index] && !(words[index]?.isQuantityPart && words[index - 1]?.isQuantityPart)
        ? [allWords.map((text) => countTerms(text, strictness))]
        : [],
    ),
  );
  const partialMatches = acceptedDocuments.flatMap((document): ReferenceMatch[] => {
    const wordMatches = matchWords(document, strictnesses, fieldMask, rarities, false);
    if (!isSufficientMatch(wordMatches.map((wordMatch) => wordMatch !== undefined))) return [];
    const isPrimaryMatch = isSufficientMatch(wordMatches.map((wordMatch) => (wordMatch?.position ?? -1) >= 0));
    const wordScore = wordMatches.reduce((sum, wordMatch) => sum + (wordMatch?.points ?? 0), 0);
    const score =
      computeScore(document, wordMatches, rarities, wordsByDocument.get(document) as ParsedDocument, query) +
      computeCategoryScore(wordScore, bonuses.get(getDocumentCategory(document)) ?? 0);
    const missingCount = wordMatches.filter(
      (wordMatch, index) => wordMatch === undefined && !isIgnoredWord[index],
    ).length;
    return [
      {
        document,
        wordMatches,
        missingCount,
        score: score + getTierScore("partial") + (isPrimaryMatch ? 0 : bodyOnlyScore),
      },
    ];
  });
  tiers.splice(typedTierCount, 0, ...lastPartTiers.filter(({ tier }) => tier !== "partial"));
  const lastPartTier = lastPartTiers.filter(({ tier }) => tier === "partial");
  return [...tiers, { tier: "partial", matches: partialMatches }, ...lastPartTier];
}
