import { GenerationCache } from "../generation-cache.ts";
import type { LeafReader } from "../index/leaf.ts";
import { findsAsTyped, findsExactly } from "../query/execute.ts";
import { maxWords } from "../query/parse.ts";
import { findSynonymUses, type Synonyms } from "../query/synonyms.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import { findText, prefixRange } from "../terms/dictionary.ts";

/** A document that contains all words of a text, accepted by the caller or not; "none" if there is none. */
type Witness = { readonly externalId: number; readonly type: number } | "none";

/** Cached match of a text. */
interface CachedMatch {
  /** Match with the last word complete; undefined if unknown. */
  whole: Witness | undefined;
  /** Match with the last word as a prefix; undefined if unknown. */
  beginning: Witness | undefined;
}

/**
 * Caches whether a document contains all words of a text, for one language of an index. Texts are typed letter by
 * letter, so completions of consecutive letters are mostly the same.
 */
export class MatchCache {
  readonly #readers: readonly LeafReader[];
  readonly #synonyms: Synonyms;
  /** Cached matches by text. */
  readonly #known = new GenerationCache<CachedMatch>();

  constructor(readers: readonly LeafReader[], synonyms: Synonyms) {
    this.#readers = readers;
    this.#synonyms = synonyms;
  }

  /**
   * Returns whether a document accepted by a query contains all its words exactly. The last word is a prefix unless
   * `isComplete` is set.
   */
  finds(context: SearchContext, query: Query, isWhole: boolean): boolean {
    const { text, accept } = query;
    const found = this.#known.get(text, weightOf, emptyMatch);
    let witness = isWhole ? found.whole : found.beginning;
    if (witness === undefined) {
      witness = this.#isLostBefore(text, isWhole) ? "none" : this.#witnessOf(context, query, isWhole);
      if (!isWhole) found.beginning = witness;
      // A document with the complete word also contains it as a prefix.
      if (isWhole || witness === "none") found.whole = witness;
    }
    if (witness === "none") return false;
    return accept?.(witness.externalId, witness.type, true) !== false || this.#search(context, query, isWhole);
  }

  /** Returns whether no document is known to contain all words of a text, with the last word as a prefix. */
  isKnownUnmatched(text: string): boolean {
    return this.#known.find(text)?.beginning === "none" || this.#isLostBefore(text, false);
  }

  #witnessOf(context: SearchContext, query: Query, isWhole: boolean): Witness {
    let witness: Witness = "none";
    const accept: Query["accept"] = (externalId, type) => {
      witness = { externalId, type };
      return true;
    };
    this.#search(context, { ...query, accept }, isWhole);
    return witness;
  }

  #search(context: SearchContext, query: Query, isWhole: boolean): boolean {
    return (isWhole ? findsExactly : findsAsTyped)(context, query, this.#readers, this.#synonyms);
  }

  /**
   * Returns whether no document is known to contain the words before the last, and the last word cannot change that. It
   * can by joining with the previous word, by completing a phrase with synonyms, or by repeating a word.
   */
  #isLostBefore(text: string, isWhole: boolean): boolean {
    const at = text.lastIndexOf(" ");
    if (at < 0 || this.#known.find(text.slice(0, at))?.whole !== "none" || !plainWords.test(text)) return false;
    const words = text.split(" ");
    const last = words.pop() as string;
    if (words.length >= maxWords || words.includes(last)) return false;
    const joined = words.at(-1) + last;
    for (const { leaf } of this.#readers) {
      const { low, high } = prefixRange(leaf.terms, joined);
      if (isWhole ? findText(leaf.terms, joined) >= 0 : low < high) return false;
    }
    if (this.#synonyms.size === 0) return true;
    const queryWords = [...words, last].map((word, chunk) => {
      return { text: word, chunk, isGram: false, isPrefix: !isWhole && chunk === words.length };
    });
    return this.#readers.every(({ leaf }) =>
      findSynonymUses(queryWords, this.#synonyms, leaf.locale).every(({ to }) => to < queryWords.length),
    );
  }
}

/** Words whose meaning does not depend on the next word: no numbers, which can have units, and no truncated words. */
const plainWords = /^[a-z]{1,30}(?: [a-z]{1,30})+$/;

function emptyMatch(): CachedMatch {
  return { whole: undefined, beginning: undefined };
}

function weightOf(): number {
  return 4;
}
