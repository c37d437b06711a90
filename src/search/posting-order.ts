import type { Part } from "./part.ts";
import { sharedUint32, type Uint32List } from "./shared-arrays.ts";

/** Postings as they were made, document by document; terms by their numbers at the time. */
export interface PostingLog {
  readonly terms: Uint32List;
  readonly documents: Uint32List;
  readonly payloads: Uint32List;
}

/** Neighbouring words as they were met. */
export interface PairLog {
  readonly firsts: Uint32List;
  readonly seconds: Uint32List;
  readonly documents: Uint32List;
  readonly payloads: Uint32List;
}

/** Postings by term; within a term documents ascend, since that is how they were made.
 *  @param places by term number: its place in the dictionary */
export function sortPostings({ terms, documents, payloads }: PostingLog, places: Uint32Array): Part["postings"] {
  const { order, starts } = sortedOrder(undefined, terms, places);
  return {
    starts: shared(starts),
    documents: pick(documents, order),
    payloads: pick(payloads, order),
  };
}

/** Pairs by first and then by second term. */
export function sortPairs({ firsts, seconds, documents, payloads }: PairLog, places: Uint32Array): Part["pairs"] {
  const bySecond = sortedOrder(undefined, seconds, places);
  const { order, starts } = sortedOrder(bySecond.order, firsts, places);
  const pickedSeconds = pick(seconds, order);
  pickedSeconds.forEach((term, index) => {
    pickedSeconds[index] = places[term] as number;
  });
  return {
    starts: shared(starts),
    seconds: pickedSeconds,
    documents: pick(documents, order),
    payloads: pick(payloads, order),
  };
}

/** Places of postings by document, ascending. @param count of documents */
export function sortByDocument(documents: Uint32Array, count: number): Part["byDocument"] {
  const starts = sharedUint32(count + 1);
  for (const document of documents) starts[document + 1] = (starts[document + 1] as number) + 1;
  addUp(starts);
  const next = starts.slice();
  const postings = sharedUint32(documents.length);
  documents.forEach((document, posting) => {
    const at = next[document] as number;
    next[document] = at + 1;
    postings[at] = posting;
  });
  return { starts, postings };
}

/** A counting sort: entries by the places of their terms, equals in the order given (absent: as logged). */
function sortedOrder(
  given: Uint32Array | undefined,
  terms: Uint32List,
  places: Uint32Array,
): { readonly order: Uint32Array; readonly starts: Uint32Array } {
  const logged = terms.view();
  const starts = new Uint32Array(places.length + 1);
  for (const term of logged) {
    const after = (places[term] as number) + 1;
    starts[after] = (starts[after] as number) + 1;
  }
  addUp(starts);
  const next = starts.slice();
  const order = new Uint32Array(logged.length);
  for (let index = 0; index < logged.length; index += 1) {
    const entry = given === undefined ? index : (given[index] as number);
    const place = places[logged[entry] as number] as number;
    const at = next[place] as number;
    next[place] = at + 1;
    order[at] = entry;
  }
  return { order, starts };
}

function addUp(counts: Uint32Array): void {
  for (let index = 1; index < counts.length; index += 1)
    counts[index] = (counts[index] as number) + (counts[index - 1] as number);
}

function shared(values: Uint32Array): Uint32Array {
  const copy = sharedUint32(values.length);
  copy.set(values);
  return copy;
}

function pick(values: Uint32List, order: Uint32Array): Uint32Array {
  const picked = sharedUint32(order.length);
  const from = values.view();
  for (let index = 0; index < order.length; index += 1) picked[index] = from[order[index] as number] as number;
  return picked;
}
