import { forms } from "../analysis/inflections.ts";
import type { Leaf } from "../index/leaf.ts";
import type { MatchKind } from "../scoring/score.ts";
import type { SearchContext } from "../search-context.ts";
import type { Range } from "../terms/dictionary.ts";
import {
  compileWord,
  type Ending,
  endingOf,
  expandedTerm,
  keyOf,
  makeTermQuery,
  rangeOf,
  weightOf,
} from "./compile-word.ts";
import { type QueryWord, type Shingle, shingles } from "./parse.ts";
import { findPhrase } from "./phrase.ts";
import type { Relaxation } from "./relaxation-step.ts";
import { type Synonyms, synonymUses } from "./synonyms.ts";
import type { ExpandedTerm, PhraseMatch, TermQuery } from "./term-query.ts";

/**
 * Compiles the words of one query for a leaf. A result that several relaxation steps need is compiled once. While
 * results are cached, the same words compile to the same objects, which are keys of other caches.
 */
export class Expander {
  readonly #context: SearchContext;
  readonly #leaf: Leaf;
  readonly #words: readonly QueryWord[];
  readonly #synonyms: Synonyms;
  /** Compiled words, by word index, number of edits and completeness. */
  readonly #expanded: (TermQuery | undefined)[];
  /** Shingles with matching terms in the leaf. Set after the prefixes are compiled. */
  #shingles: readonly Shingle[] | undefined;
  /** Shared terms of complete words. */
  #sharedByWholes: readonly SharedTerms[] | undefined;
  #sharedByPrefixes: readonly SharedTerms[] | undefined;

  constructor(context: SearchContext, leaf: Leaf, words: readonly QueryWord[], synonyms: Synonyms) {
    this.#context = context;
    this.#leaf = leaf;
    this.#words = words;
    this.#synonyms = synonyms;
    this.#expanded = new Array<TermQuery | undefined>(words.length * strictnesses);
  }

  /** Compiles all words of the query.  @returns one term query per word */
  expand({ exactWords: wholeWords, edits }: Relaxation): TermQuery[] {
    const found: TermQuery[] = [];
    for (let index = 0; index < this.#words.length; index += 1) {
      const allowed = edits[index] ?? 0;
      const at = index * strictnesses + allowed * 2 + (wholeWords ? 1 : 0);
      this.#expanded[at] ??= this.#expand(index, allowed, wholeWords);
      found.push(this.#expanded[at]);
    }
    return found;
  }

  #expand(index: number, edits: number, wholeWords: boolean): TermQuery {
    const leaf = this.#leaf;
    const word = this.#words[index] as QueryWord;
    const ending = endingOf(word, wholeWords);
    let termQuery = compileWord(this.#context, leaf, word, ending, edits);
    let key = "";
    for (const { words, key: sharedKey, ranges, phraseMatches } of this.#sharedTerms(wholeWords)) {
      if (!words.includes(index)) continue;
      key = (key === "" ? keyOf(word, ending, edits) : key) + sharedKey;
      const wordQuery = termQuery;
      termQuery = this.#context
        .cacheOf(leaf)
        .termQueries.get(key, weightOf, () =>
          makeTermQuery(
            leaf,
            [...wordQuery.ranges, ...ranges],
            [...wordQuery.phraseMatches, ...phraseMatches],
            wordQuery.fuzzy,
          ),
        );
    }
    return termQuery;
  }

  #sharedTerms(wholeWords: boolean): readonly SharedTerms[] {
    const known = wholeWords ? this.#sharedByWholes : this.#sharedByPrefixes;
    if (known !== undefined) return known;
    // A word without prefix matches has no matches as a complete word.
    if (!wholeWords)
      this.#shingles = shingles(this.#words, this.#leaf.locale).filter((one) => {
        const { low, high } = rangeOfShingle(this.#leaf, this.#words, one, false);
        return low < high;
      });
    const requestedShingles = this.#shingles ?? shingles(this.#words, this.#leaf.locale);
    const found = sharedTerms(this.#context, this.#leaf, this.#words, requestedShingles, wholeWords, this.#synonyms);
    if (wholeWords) this.#sharedByWholes = found;
    else this.#sharedByPrefixes = found;
    return found;
  }
}

/** Number of results per word: with 0, 1 or 2 edits, each as a complete word or not. */
const strictnesses = 6;

/** Terms that several words of a query can match together. */
interface SharedTerms {
  /** Indices of the words. */
  readonly words: readonly number[];
  /** Key of the terms, unique in the leaf. */
  readonly key: string;
  readonly ranges: readonly ExpandedTerm[];
  readonly phraseMatches: readonly PhraseMatch[];
}

/** Finds the terms of the shingles and synonyms of a query. */
function sharedTerms(
  context: SearchContext,
  leaf: Leaf,
  words: readonly QueryWord[],
  shingled: readonly Shingle[],
  wholeWords: boolean,
  synonyms: Synonyms,
): SharedTerms[] {
  const found: SharedTerms[] = [];
  for (const shingle of shingled) {
    const { text, words: wordIndices, isQuantity } = shingle;
    const { low, high } = rangeOfShingle(leaf, words, shingle, wholeWords);
    if (low === high) continue;
    const kind = isQuantity ? "quantity" : "joined";
    const key = `+${kind}${endingOfShingle(words, shingle, wholeWords) === "open" ? "*" : "="}${text}`;
    found.push({ words: wordIndices, key, ranges: [expandedTerm(kind, { low, high })], phraseMatches: [] });
  }
  for (const { from, to, phrases, isComplete } of synonymUses(words, synonyms, leaf.locale))
    for (const phrase of phrases) {
      const kind = isComplete ? "synonym" : "nearSynonym";
      const compiled = compilePhrase(context, leaf, phrase, kind);
      if (compiled.ranges.length + compiled.phraseMatches.length === 0) continue;
      const wordIndices = Array.from({ length: to - from }, (_, index) => from + index);
      found.push({ words: wordIndices, key: `+${kind}${phrase.join(" ")}`, ...compiled });
    }
  return found;
}

function rangeOfShingle(leaf: Leaf, words: readonly QueryWord[], shingle: Shingle, wholeWords: boolean): Range {
  return rangeOf(leaf, shingle.text, endingOfShingle(words, shingle, wholeWords));
}

function endingOfShingle(
  words: readonly QueryWord[],
  { words: wordIndices, isQuantity }: Shingle,
  wholeWords: boolean,
): Ending {
  return isQuantity ? "closed" : endingOf(words[wordIndices.at(-1) ?? 0] as QueryWord, wholeWords);
}

/** Compiles a phrase of a synonym group, as separate words and as a joined word. */
function compilePhrase(
  context: SearchContext,
  leaf: Leaf,
  phrase: readonly string[],
  kind: MatchKind,
): Pick<TermQuery, "ranges" | "phraseMatches"> {
  const ranges: ExpandedTerm[] = [];
  const joined = phrase.join("");
  const texts = phrase.length > 1 ? [joined] : [joined, ...forms({ text: joined, isGram: false }, leaf.locale)];
  for (const text of texts) {
    const { low, high } = rangeOf(leaf, text, "closed");
    if (low < high) ranges.push(expandedTerm(kind, { low, high }));
  }
  const terms = phrase.map((text) => rangeOf(leaf, text, "closed"));
  const isKnown = terms.length > 1 && terms.every(({ low, high }) => low < high);
  const match = isKnown ? findPhrase(context.phraseScratch, leaf, kind, terms, phrase.join(" ")) : undefined;
  return { ranges, phraseMatches: match === undefined ? [] : [match] };
}
