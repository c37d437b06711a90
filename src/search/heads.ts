import type { Part } from "./part.ts";
import type { Hit } from "./search-index.ts";

/** Postings from which a word is wide: worth remembering its best documents. */
export const wideWord = 5_000;
/** Documents remembered of each type: more than are shown, since some are gone or not accepted when asked again. */
export const headLength = 64;
/** Words remembered a part. */
const maxWords = 500;

type Heads = ReadonlyMap<number, readonly Hit[]>;

/** A part never changes, so what it answers is kept as long as it is, over any number of indexes that share it. */
const known = new WeakMap<Part, Map<string, Heads>>();

/** The best documents of a part for one word as typed, by type; `find` is asked where they are not known yet. */
export function headsOf(part: Part, word: string, find: () => Heads): Heads {
  let heads = known.get(part);
  if (heads === undefined) {
    heads = new Map();
    known.set(part, heads);
  }
  let found = heads.get(word);
  if (found === undefined) {
    found = find();
    if (heads.size >= maxWords) heads.delete(heads.keys().next().value ?? "");
    heads.set(word, found);
  }
  return found;
}
