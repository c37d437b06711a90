import { setBit, wordsFor } from "../arrays/bits.ts";
import { findsExactly, search } from "../query/execute.ts";
import { prepareSynonyms, type SynonymGroup } from "../query/synonyms.ts";
import { explain } from "../scoring/explain.ts";
import type { SearchIndex } from "../search-index.ts";
import { complete } from "../suggest/completions.ts";
import { type Phrases, packPhrases, presentable } from "../suggest/phrases.ts";
import { docIdOf, type Leaf, type LeafReader } from "./leaf.ts";

/** An immutable piece of an index, plain data: what is large in it lies in shared memory, so that posting it to another thread
 *  copies next to nothing. */
export interface Segment {
  readonly defaultLocale: string;
  /** One a locale that has documents. */
  readonly leaves: readonly Leaf[];
}

/** A segment with the documents of it that no longer count: changed or deleted in a later segment. */
export interface SegmentWithDeletes {
  readonly segment: Segment;
  /** Document externalIds. */
  readonly removed: ReadonlySet<number>;
}

const noPhrases = packPhrases(new Map());

export interface IndexOptions {
  /** Groups of words or phrases that mean the same. */
  readonly synonyms: readonly SynonymGroup[];
  /** What shoppers searched, and how many of them. */
  readonly popular: readonly PopularTerm[];
}

export interface PopularTerm {
  readonly locale: string;
  readonly text: string;
  readonly visitors: number;
}

/** One index over several segments, the newest last. Cheap: nothing is copied, and what segments boost between indexes stays shared. */
export function openIndex(segments: readonly SegmentWithDeletes[], options: IndexOptions): SearchIndex {
  const synonyms = prepareSynonyms(options.synonyms);
  const readers = new Map<string, readonly LeafReader[]>();
  const readersIn = (locale: string): readonly LeafReader[] => {
    // Locales come from requests: only those of the index are cached.
    const known = segments.some(({ segment }) => segment.leaves.some((leaf) => leaf.locale === locale)) ? locale : "";
    let found = readers.get(known);
    if (found === undefined) {
      found = leafReadersOf(segments, known);
      readers.set(known, found);
    }
    return found;
  };
  const popular = new Map<string, Phrases>();
  const popularIn = (locale: string): Phrases => {
    let found = popular.get(locale);
    if (found === undefined) {
      const terms = options.popular.filter((term) => term.locale === locale);
      if (terms.length === 0) return noPhrases;
      found = packPhrases(new Map(terms.map(({ text, visitors }) => [presentable(text), visitors])));
      popular.set(locale, found);
    }
    return found;
  };
  return {
    search: (query) => search(query, readersIn(query.locale), synonyms),
    findsExactly: (query) => findsExactly(query, readersIn(query.locale), synonyms),
    complete: (text, locale, limit, only = {}) =>
      complete({ text, locale, limit, only }, readersIn(locale), synonyms, popularIn(locale)),
    explain: (query, number) => explain(query, number, readersIn(query.locale), synonyms),
  };
}

/** What a search in `locale` sees: its own documents, and those of the default language that have none in it. */
export function leafReadersOf(segments: readonly SegmentWithDeletes[], locale: string): LeafReader[] {
  const readers: LeafReader[] = [];
  for (const { segment, removed } of segments) {
    const own = segment.leaves.find((leaf) => leaf.locale === locale);
    if (own !== undefined) readers.push(view(own, removed, undefined));
    if (segment.defaultLocale === locale) continue;
    const fallback = segment.leaves.find((leaf) => leaf.locale === segment.defaultLocale);
    if (fallback !== undefined) readers.push(view(fallback, removed, own));
  }
  return readers;
}

function view(leaf: Leaf, removed: ReadonlySet<number>, shadowing: Leaf | undefined): LeafReader {
  if (removed.size === 0 && shadowing === undefined) return { leaf };
  const deleted = shadowing === undefined ? noneOf(leaf) : shadowed(leaf, shadowing).slice();
  for (const number of removed) {
    const docId = docIdOf(leaf.documents, number);
    if (docId >= 0) setBit(deleted, docId);
  }
  return { leaf, deleted };
}

function noneOf({ documents }: Leaf): Uint32Array {
  return new Uint32Array(wordsFor(documents.externalIds.length));
}

/** By leaf, and by the leaf whose documents stand in for some of its own: leaves never change. */
const knownShadows = new WeakMap<Leaf, WeakMap<Leaf, Uint32Array>>();

/** The documents of a leaf that another leaf has too. */
function shadowed(leaf: Leaf, shadowing: Leaf): Uint32Array {
  let ofLeaf = knownShadows.get(leaf);
  if (ofLeaf === undefined) {
    ofLeaf = new WeakMap();
    knownShadows.set(leaf, ofLeaf);
  }
  let deleted = ofLeaf.get(shadowing);
  if (deleted === undefined) {
    deleted = noneOf(leaf);
    for (const number of shadowing.documents.externalIds) {
      const docId = docIdOf(leaf.documents, number);
      if (docId >= 0) setBit(deleted, docId);
    }
    ofLeaf.set(shadowing, deleted);
  }
  return deleted;
}
