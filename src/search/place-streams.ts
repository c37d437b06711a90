import type { View, Zone } from "./part.ts";
import type { Places } from "./place-set.ts";
import { fillPlaces } from "./place-words.ts";

const batchLength = 64;
/** Places are met one source of streams after another, so these are enough. */
const batches = [new Uint32Array(batchLength), new Uint32Array(batchLength)];

/** Places of one source that were found and not yet met. */
class Stream {
  readonly #unions: readonly Places[];
  readonly #end: number;
  readonly #batch: Uint32Array;
  #count = 0;
  #at = 0;
  /** The next place; `Infinity`: there is no other. */
  next = 0;

  constructor(unions: readonly Places[], { from, to }: Zone, batch: Uint32Array) {
    this.#batch = batch;
    this.#unions = unions;
    this.#end = to;
    this.#fill(from);
  }

  advance(): void {
    this.#at += 1;
    if (this.#at < this.#count) this.next = this.#batch[this.#at] as number;
    else if (this.#count < batchLength) this.next = Number.POSITIVE_INFINITY;
    else this.#fill(this.next + 1);
  }

  #fill(from: number): void {
    this.#count = fillPlaces(this.#unions, from, this.#end, this.#batch);
    this.#at = 0;
    this.next = this.#count === 0 ? Number.POSITIVE_INFINITY : (this.#batch[0] as number);
  }
}

/** Calls back with places of a zone whose documents count, ascending, until told true.
 *  @param sources places in all unions of one of these; no place is in two */
export function eachPlace(
  sources: readonly (readonly Places[])[],
  { dead }: View,
  zone: Zone,
  isEnough: (place: number) => boolean,
): void {
  const streams = sources.map(
    (unions, index) => new Stream(unions, zone, batches[index] ?? new Uint32Array(batchLength)),
  );
  for (;;) {
    let first = streams[0];
    for (let index = 1; index < streams.length; index += 1)
      if ((streams[index] as Stream).next < (first as Stream).next) first = streams[index];
    if (first === undefined || first.next === Number.POSITIVE_INFINITY) return;
    const place = first.next;
    if (dead?.[place] !== 1 && isEnough(place)) return;
    first.advance();
  }
}
