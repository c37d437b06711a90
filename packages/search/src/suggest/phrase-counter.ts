import type { TokenStream } from "../analysis/token-stream.ts";
import { growArray } from "../arrays/shared-arrays.ts";
import { createPhraseTable, createWordList, type SequencePrefix, sequencePrefixFlag } from "./phrase-tables.ts";
import { createTitleSplitter } from "./title-words.ts";

/** Counts the phrases of a catalog, with limited memory and a few microseconds per document. */
export interface TextCounter {
  /** Counts each sequence of one to `maxSequenceWords` words in a title, and short titles as a phrase. */
  addTitle(text: string, tokens?: TitleTokens): void;
  /**
   * Counts a vendor, a product type or the title of a collection as one phrase.
   * @param number identifies the text for caching; -1 if the text has no number
   */
  addFullText(text: string, number?: number): void;
  /** Calls `visit` with the `count` heaviest phrases that completions may display. */
  forEachPhrase(count: number, visit: (phrase: string, weight: number) => void): void;
}

/** Tokens of a tokenized title. */
export interface TitleTokens {
  readonly tokenizer: TokenStream;
  /** Term of each token. Equal tokens have equal terms. */
  readonly termsByToken: Uint32Array;
}

/**
 * Maximum weight that one document adds to a phrase: 20 as its vendor, 20 as its type, and 4 for each of 24 words in
 * its title.
 */
export const maxWeightPerDocument = 136;

/** Maximum number of words in a sequence that is counted as a phrase. */
const maxSequenceWords = 4;
/** Maximum number of words in a phrase. */
const maxPhraseWords = 5;
const maxPhraseLength = 40;
/** Weight of a vendor, product type or collection title. An occurrence in a title has weight 1. */
const completeTextWeight = 20;
/**
 * Number of titles in which all word sequences are counted. In later titles, only sequences of frequent words are
 * counted, because rare sequences would fill the table and be dropped in the end.
 */
const maxFullyCountedTitles = 20_000;
/**
 * Number of titles up to which each title is counted. Of later titles, one in `samplingInterval` is counted, with a
 * weight of `samplingInterval`. A phrase that is rare in the first titles is never added later.
 */
const maxUnsampledTitles = 100_000;
const samplingInterval = 4;
const minCommonCount = 3;
/** Maximum number of stored word sequences (runs). Each takes about 25 bytes. */
const maxStoredSequences = 1_500_000;
/** Maximum number of tokens among which a word of the title is searched. "t-shirt" is one word and two tokens. */
const lookaheadTokens = 4;
/**
 * A phrase is not a completion if at least this share of its occurrences is within one longer phrase. An example is
 * "virgin olive" in "extra virgin olive oil".
 */
const phrasePartShare = 0.9;
const minPhrasePartCount = 4;

/**
 * @param locale language of the titles
 * @param maxSequences maximum number of stored word sequences
 */
export function createTextCounter(locale: string, maxSequences = maxStoredSequences): TextCounter {
  const wordList = createWordList(locale);
  const sequenceTable = createPhraseTable(maxSequences);
  const titleWords = createTitleSplitter();
  const wordIds = new Int32Array(32);
  let titleCount = 0;
  /** Texts of word sequences with "&" or "+" between words, such as "black & decker", by number of the sequence. */
  const joinedTexts = new Map<number, string>();
  /**
   * Cache for vendors and product types. The index is the number of such a text, the entry is the number of the equal
   * word or word sequence plus one, or 0 if it is not cached.
   */
  let phrasesByText = new Uint32Array(1 << 10);
  /** For each term: its number in `wordList` plus one, or 0 if it is not cached. */
  let wordIdsByTerm = new Uint32Array(1 << 12);

  const parseTitle = (text: string, tokens: TitleTokens | undefined): void => {
    titleWords.split(text);
    let from = 0;
    for (let index = 0; index < titleWords.count; index += 1) {
      const start = titleWords.starts[index] as number;
      const end = titleWords.ends[index] as number;
      const token =
        tokens === undefined ? -1 : titleWords.findToken(index, tokens.tokenizer, from, from + lookaheadTokens);
      if (tokens === undefined || token < 0) wordIds[index] = wordList.findOrAddWord(titleWords.units, start, end);
      else {
        wordIds[index] = findWordNumber(tokens.termsByToken[token] as number, start, end);
        from = token + 1;
      }
    }
  };
  /**
   * Returns the number in `wordList` of a title's word, from UTF-16 unit `start` to `end` (exclusive). The number is
   * cached by term, because a lookup by text is slower.
   */
  const findWordNumber = (term: number, start: number, end: number): number => {
    while (term >= wordIdsByTerm.length) wordIdsByTerm = growArray(wordIdsByTerm);
    const cachedWordNumber = wordIdsByTerm[term] as number;
    if (cachedWordNumber > 0) return cachedWordNumber - 1;
    const word = wordList.findOrAddWord(titleWords.units, start, end);
    wordIdsByTerm[term] = word + 1;
    return word;
  };
  const isFrequentPrefix = (prefix: SequencePrefix): boolean =>
    (prefix >= sequencePrefixFlag ? sequenceTable.getCount(prefix - sequencePrefixFlag) : wordList.getCount(prefix)) >=
    minCommonCount;

  /** Counts the word sequences that start at a word of the title. */
  const countWordSequences = (index: number, occurrences: number, includesRareWords: boolean): void => {
    const firstWord = wordIds[index] as number;
    if (firstWord < 0) return;
    wordList.addCount(firstWord, occurrences);
    if (!wordList.mayStartOrEndPhrase(firstWord)) return;
    let prefix: SequencePrefix = firstWord;
    let length = wordList.lengthOf(firstWord);
    for (
      let nextIndex = index + 1;
      nextIndex < index + maxSequenceWords && nextIndex < titleWords.count && titleWords.boundaryFlags[nextIndex] === 0;
      nextIndex += 1
    ) {
      const word = wordIds[nextIndex] as number;
      if (word < 0) return;
      length += 1 + wordList.lengthOf(word);
      if (length > maxPhraseLength || (!includesRareWords && !(isFrequentPrefix(prefix) && isFrequentPrefix(word))))
        return;
      const sequenceId = sequenceTable.findOrAdd(prefix, word);
      sequenceTable.addCount(sequenceId, occurrences);
      prefix = sequencePrefixFlag + sequenceId;
    }
  };
  /** Returns the word or word sequence that equals the entire text, or -1 if the text is too long. */
  const findTitlePhrase = (): SequencePrefix => {
    if (titleWords.count === 0 || titleWords.count > maxPhraseWords) return -1;
    let length = titleWords.count - 1;
    for (let index = 0; index < titleWords.count; index += 1) {
      if ((wordIds[index] as number) < 0) return -1;
      length += wordList.lengthOf(wordIds[index] as number);
    }
    if (length < 2 || length > maxPhraseLength) return -1;
    let prefix: SequencePrefix = wordIds[0] as number;
    for (let index = 1; index < titleWords.count; index += 1)
      prefix = sequencePrefixFlag + sequenceTable.findOrAdd(prefix, wordIds[index] as number);
    const joinedText = titleWords.spellWithJoiners();
    if (joinedText !== undefined) joinedTexts.set(prefix - sequencePrefixFlag, joinedText);
    return prefix;
  };
  const addFullText = (prefix: SequencePrefix, weight: number): void => {
    if (prefix >= sequencePrefixFlag) sequenceTable.addFullText(prefix - sequencePrefixFlag, weight);
    else if (prefix >= 0) wordList.addFullText(prefix, weight);
  };
  const markAsTitle = (titlePrefix: SequencePrefix): void => {
    if (!isWordSequence()) addFullText(titlePrefix, 1);
    if (titlePrefix >= sequencePrefixFlag) sequenceTable.markTitle(titlePrefix - sequencePrefixFlag);
  };
  /** Returns whether a short title is also counted as a word sequence. */
  const isWordSequence = (): boolean =>
    titleWords.count <= maxSequenceWords &&
    wordList.mayStartOrEndPhrase(wordIds[0] as number) &&
    wordList.mayStartOrEndPhrase(wordIds[titleWords.count - 1] as number) &&
    titleWords.boundaryFlags.subarray(1, titleWords.count).every((boundaryFlag) => boundaryFlag === 0);

  const compactTable = (): void => {
    if (!sequenceTable.compact()) return;
    phrasesByText.fill(0);
    joinedTexts.clear();
  };

  const listWords = (sequenceId: number): number[] => {
    const sequenceWords: number[] = [];
    for (let prefix = sequencePrefixFlag + sequenceId; ; prefix = sequenceTable.prefixOf(prefix - sequencePrefixFlag)) {
      if (prefix < sequencePrefixFlag) return [prefix, ...sequenceWords];
      sequenceWords.unshift(sequenceTable.lastWordOf(prefix - sequencePrefixFlag));
    }
  };
  /**
   * Returns the weight of a word sequence (run) as a phrase. Occurrences within titles do not count if the sequence
   * starts or ends with a filler word such as "the", a number, or a very short word.
   */
  const weightOf = (sequenceId: number): number => {
    const completeTextWeight = sequenceTable.completeTextWeightOf(sequenceId);
    if (!wordList.mayStartOrEndPhrase(sequenceTable.lastWordOf(sequenceId))) return completeTextWeight;
    let firstWord = sequenceTable.prefixOf(sequenceId);
    while (firstWord >= sequencePrefixFlag) firstWord = sequenceTable.prefixOf(firstWord - sequencePrefixFlag);
    return wordList.mayStartOrEndPhrase(firstWord)
      ? completeTextWeight + sequenceTable.getCount(sequenceId)
      : completeTextWeight;
  };
  /**
   * Returns a flag for each word sequence (run): 1 if it occurs nearly always within one longer sequence.
   * @param minWeight minimum weight of a phrase; lighter sequences are not tested
   */
  const findPhraseParts = (minWeight: number): Uint8Array => {
    const phrasePartFlags = new Uint8Array(sequenceTable.count);
    const markIfPhrasePart = (prefix: SequencePrefix, occurrences: number): void => {
      const sequenceId = prefix - sequencePrefixFlag;
      if (sequenceId < 0 || sequenceTable.completeTextWeightOf(sequenceId) !== 0 || sequenceTable.isTitle(sequenceId))
        return;
      if (occurrences >= sequenceTable.getCount(sequenceId) * phrasePartShare) phrasePartFlags[sequenceId] = 1;
    };
    for (let sequenceId = 0; sequenceId < sequenceTable.count; sequenceId += 1) {
      const occurrences = sequenceTable.getCount(sequenceId);
      const isTitle = sequenceTable.isTitle(sequenceId);
      if (sequenceTable.prefixOf(sequenceId) < sequencePrefixFlag || (occurrences < minPhrasePartCount && !isTitle))
        continue;
      if (occurrences < minWeight * phrasePartShare || weightOf(sequenceId) === 0) continue;
      const sequenceWords = listWords(sequenceId);
      // If the word sequence is a title, all its parts are tested. Otherwise only the parts that are one word shorter
      // are tested. Their own parts are tested later.
      for (let from = 0; from < (isTitle ? sequenceWords.length - 1 : 2); from += 1) {
        let prefix: SequencePrefix = sequenceWords[from] as number;
        for (let end = from + 1; end < sequenceWords.length && prefix >= 0; end += 1) {
          prefix = getSequencePrefix(sequenceTable.find(prefix, sequenceWords[end] as number));
          if (end - from < sequenceWords.length - 1 && (isTitle || end - from === sequenceWords.length - 2))
            markIfPhrasePart(prefix, occurrences);
        }
      }
    }
    return phrasePartFlags;
  };

  return {
    addTitle(text, tokens) {
      titleCount += 1;
      const countsAllPhrases = titleCount <= maxFullyCountedTitles;
      const occurrences = titleCount <= maxUnsampledTitles ? 1 : samplingInterval;
      // Titles are selected by a hash of their number, so that the sample does not depend on a periodic order of the
      // catalog.
      if (occurrences > 1 && Math.imul(titleCount, 0x9e3779b1) >>> 30 !== 0) return;
      parseTitle(text, tokens);
      if (titleWords.count === 0) return;
      for (let index = 0; index < titleWords.count; index += 1)
        countWordSequences(index, occurrences, countsAllPhrases);
      if (countsAllPhrases) markAsTitle(findTitlePhrase());
      compactTable();
    },
    addFullText(text, number = -1) {
      while (number >= phrasesByText.length) phrasesByText = growArray(phrasesByText);
      let textPrefix = number < 0 ? -1 : (phrasesByText[number] as number) - 1;
      if (textPrefix < 0) {
        parseTitle(text, undefined);
        textPrefix = findTitlePhrase();
        if (number >= 0) phrasesByText[number] = textPrefix + 1;
      }
      addFullText(textPrefix, completeTextWeight);
      compactTable();
    },
    forEachPhrase(count, visit) {
      const wordWeights = Uint32Array.from({ length: wordList.count }, (_, word) => {
        const isPresentable = wordList.mayStartOrEndPhrase(word) && wordList.lengthOf(word) > 1;
        return wordList.completeTextWeightOf(word) + (isPresentable ? wordList.getCount(word) : 0);
      });
      const sequenceWeights = Uint32Array.from({ length: sequenceTable.count }, (_, id) => weightOf(id));
      const minWeight = computeMinStoredWeight(count, [wordWeights, sequenceWeights]);
      const phrasePartFlags = findPhraseParts(minWeight);
      const texts: string[] = [];
      const textOf = (word: number): string => {
        texts[word] ??= wordList.textOf(word);
        return texts[word];
      };
      for (let word = 0; word < wordWeights.length; word += 1)
        if ((wordWeights[word] as number) >= minWeight) visit(textOf(word), wordWeights[word] as number);
      for (let sequenceId = 0; sequenceId < sequenceWeights.length; sequenceId += 1)
        if ((sequenceWeights[sequenceId] as number) >= minWeight && phrasePartFlags[sequenceId] === 0)
          visit(
            joinedTexts.get(sequenceId) ?? listWords(sequenceId).map(textOf).join(" "),
            sequenceWeights[sequenceId] as number,
          );
    },
  };
}

function getSequencePrefix(sequenceId: number): SequencePrefix {
  return sequenceId < 0 ? -1 : sequencePrefixFlag + sequenceId;
}

/** Maximum weight that `computeMinStoredWeight` distinguishes. Higher weights count as this weight. */
const maxWeight = 1 << 16;

/** Returns the lowest weight, at least 1, for which at most `count` phrases are that heavy or heavier. */
function computeMinStoredWeight(count: number, weightLists: readonly Uint32Array[]): number {
  if (weightLists.reduce((sum, { length }) => sum + length, 0) <= count) return 1;
  const weightCounts = new Uint32Array(maxWeight + 1);
  for (const weights of weightLists)
    for (let index = 0; index < weights.length; index += 1) {
      const weight = Math.min(weights[index] as number, maxWeight);
      weightCounts[weight] = (weightCounts[weight] as number) + 1;
    }
  let storedCount = 0;
  for (let weight = maxWeight; weight > 0; weight -= 1) {
    storedCount += weightCounts[weight] as number;
    if (storedCount > count) return weight + 1;
  }
  return 1;
}
