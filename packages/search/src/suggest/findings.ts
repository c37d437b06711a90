import { GenerationCache } from "../generation-cache.ts";
import type { LeafReader } from "../index/leaf.ts";
import { findsAsTyped, findsExactly } from "../query/execute.ts";
import { maxWords } from "../query/parse.ts";
import { type Synonyms, synonymUses } from "../query/synonyms.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import { findText, prefixRange } from "../terms/dictionary.ts";

/** A document that holds all words of a text, whether a caller accepts it or not; "none": there is none. */
type Witness = { readonly externalId: number; readonly type: number } | "none";

/** What is known of a text. */
interface Finding {
  /** Of its words, the last one whole. */
  whole: Witness | undefined;
  /** The last one as a beginning. */
  beginning: Witness | undefined;
}

/** A cache of whether a document contains all words of a text, for one language of an index. Texts are typed letter by letter, and completions of
 *  adjacent letters are mostly the same. */
export class Findings {
  readonly #readers: readonly LeafReader[];
  readonly #synonyms: Synonyms;
  /** By text. */
  readonly #known = new GenerationCache<Finding>();

  constructor(readers: readonly LeafReader[], synonyms: Synonyms) {
    this.#readers = readers;
    this.#synonyms = synonyms;
  }

  /** Whether a document that a query accepts holds all its words, none misspelt; with `isWhole` the last one is no beginning. */
  finds(context: SearchContext, query: Query, isWhole: boolean): boolean {
    const { text, accept } = query;
    const found = this.#known.get(text, weightOf, nothingKnown);
    let witness = isWhole ? found.whole : found.beginning;
    if (witness === undefined) {
      witness = this.#isLostBefore(text, isWhole) ? "none" : this.#witnessOf(context, query, isWhole);
      if (!isWhole) found.beginning = witness;
      // A whole word is one of those that begin with it.
      if (isWhole || witness === "none") found.whole = witness;
    }
    if (witness === "none") return false;
    return accept?.(witness.externalId, witness.type, true) !== false || this.#search(context, query, isWhole);
  }

  /** Whether it is known without a search that no document holds all words of a text, the last one as a beginning. */
  isLost(text: string): boolean {
    return this.#known.peek(text)?.beginning === "none" || this.#isLostBefore(text, false);
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

  /** Whether the words before the last one are known to be in no document together, and the last one takes nothing of that back: by being one
   *  word with the one before, a phrase that has synonyms, or one of those words again. */
  #isLostBefore(text: string, isWhole: boolean): boolean {
    const at = text.lastIndexOf(" ");
    if (at < 0 || this.#known.peek(text.slice(0, at))?.whole !== "none" || !plainWords.test(text)) return false;
    const words = text.split(" ");
    const last = words.pop() as string;
    if (words.length >= maxWords || words.includes(last)) return false;
    const joined = words.at(-1) + last;
    for (const { leaf } of this.#readers) {
      const { low, high } = prefixRange(leaf.terms, joined);
      if (isWhole ? findText(leaf.terms, joined) >= 0 : low < high) return false;
    }
    if (this.#synonyms.size === 0) return true;
    const asked = [...words, last].map((word, chunk) => {
      return { text: word, chunk, isGram: false, isPrefix: !isWhole && chunk === words.length };
    });
    return this.#readers.every(({ leaf }) =>
      synonymUses(asked, this.#synonyms, leaf.locale).every(({ to }) => to < asked.length),
    );
  }
}

/** Words that mean the same whatever follows: no numbers, whose units may follow, and no word that is cut off. */
const plainWords = /^[a-z]{1,30}(?: [a-z]{1,30})+$/;

function nothingKnown(): Finding {
  return { whole: undefined, beginning: undefined };
}

function weightOf(): number {
  return 4;
}
