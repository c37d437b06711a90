import { setBit, wordsFor } from "./bits.ts";
import { complete } from "./completions.ts";
import { explain } from "./explain.ts";
import { type Part, placeOf, type View } from "./part.ts";
import { type Phrases, packPhrases, presentable } from "./phrases.ts";
import { findsExactly, search } from "./search.ts";
import type { SearchIndex } from "./search-index.ts";
import { prepareSynonyms, type SynonymGroup } from "./synonyms.ts";

/** An immutable piece of an index, plain data: what is large in it lies in shared memory, so that posting it to another thread
 *  copies next to nothing. */
export interface Segment {
  readonly defaultLocale: string;
  /** One a locale that has documents. */
  readonly parts: readonly Part[];
}

/** A segment with the documents of it that no longer count: changed or deleted in a later layer. */
export interface Layer {
  readonly segment: Segment;
  /** Document numbers. */
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

/** One index over several layers, the newest last. Cheap: nothing is copied, and what layers share between indexes stays shared. */
export function openIndex(layers: readonly Layer[], options: IndexOptions): SearchIndex {
  const synonyms = prepareSynonyms(options.synonyms);
  const views = new Map<string, readonly View[]>();
  const viewsIn = (locale: string): readonly View[] => {
    // Locales come from requests: only those of the index are remembered.
    const known = layers.some(({ segment }) => segment.parts.some((part) => part.locale === locale)) ? locale : "";
    let found = views.get(known);
    if (found === undefined) {
      found = viewsOf(layers, known);
      views.set(known, found);
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
    search: (query) => search(query, viewsIn(query.locale), synonyms),
    findsExactly: (query) => findsExactly(query, viewsIn(query.locale), synonyms),
    complete: (text, locale, limit, only = {}) =>
      complete({ text, locale, limit, only }, viewsIn(locale), synonyms, popularIn(locale)),
    explain: (query, number) => explain(query, number, viewsIn(query.locale), synonyms),
  };
}

/** What a search in `locale` sees: its own documents, and those of the default language that have none in it. */
export function viewsOf(layers: readonly Layer[], locale: string): View[] {
  const views: View[] = [];
  for (const { segment, removed } of layers) {
    const own = segment.parts.find((part) => part.locale === locale);
    if (own !== undefined) views.push(view(own, removed, undefined));
    if (segment.defaultLocale === locale) continue;
    const fallback = segment.parts.find((part) => part.locale === segment.defaultLocale);
    if (fallback !== undefined) views.push(view(fallback, removed, own));
  }
  return views;
}

function view(part: Part, removed: ReadonlySet<number>, shadowing: Part | undefined): View {
  if (removed.size === 0 && shadowing === undefined) return { part };
  const dead = shadowing === undefined ? noneOf(part) : shadowed(part, shadowing).slice();
  for (const number of removed) {
    const place = placeOf(part.documents, number);
    if (place >= 0) setBit(dead, place);
  }
  return { part, dead };
}

function noneOf({ documents }: Part): Uint32Array {
  return new Uint32Array(wordsFor(documents.numbers.length));
}

/** By part, and by the part whose documents stand in for some of its own: parts never change. */
const knownShadows = new WeakMap<Part, WeakMap<Part, Uint32Array>>();

/** The documents of a part that another part has too. */
function shadowed(part: Part, shadowing: Part): Uint32Array {
  let ofPart = knownShadows.get(part);
  if (ofPart === undefined) {
    ofPart = new WeakMap();
    knownShadows.set(part, ofPart);
  }
  let dead = ofPart.get(shadowing);
  if (dead === undefined) {
    dead = noneOf(part);
    for (const number of shadowing.documents.numbers) {
      const place = placeOf(part.documents, number);
      if (place >= 0) setBit(dead, place);
    }
    ofPart.set(shadowing, dead);
  }
  return dead;
}
