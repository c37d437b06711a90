import type { Part, View, Zone } from "./part.ts";
import { batchLength, findPlaces, type PlaceSet, placeIn } from "./place-set.ts";
import { deadOf } from "./word-places.ts";

/** Places of one source that were found and not yet met. */
class Stream {
  readonly #part: Part;
  readonly #sets: readonly PlaceSet[];
  readonly #dead: PlaceSet | undefined;
  readonly #end: number;
  readonly #list: number;
  /** Places looked for at once. */
  #most: number;
  #count = 0;
  #at = 0;
  /** The next place; `Infinity`: there is no other. */
  next = 0;

  constructor(view: View, sets: readonly PlaceSet[], { from, to }: Zone, list: number, expected: number) {
    this.#part = view.part;
    this.#sets = sets;
    this.#dead = deadOf(view);
    this.#end = to;
    this.#list = list;
    this.#most = Math.min(batchLength, expected);
    this.#fill(from);
  }

  advance(): void {
    this.#at += 1;
    if (this.#at < this.#count) this.next = placeIn(this.#list, this.#at);
    else if (this.#count < this.#most) this.next = Number.POSITIVE_INFINITY;
    else {
      this.#most = batchLength;
      this.#fill(this.next + 1);
    }
  }

  #fill(from: number): void {
    this.#count = findPlaces(this.#sets, this.#dead, from, this.#end, this.#list, this.#most);
    this.#at = 0;
    this.next = this.#count === 0 ? Number.POSITIVE_INFINITY : placeIn(this.#list, 0);
    touch(this.#part, this.#list, this.#count);
  }
}

/** Looks at the documents of a list, so that they are near when they are read one by one: what does not depend on each other is
 *  fetched from far memory many at a time. */
function touch({ head, body, documents: { traits } }: Part, list: number, count: number): void {
  const { starts, terms, marks } = head.rows;
  let sum = 0;
  for (let entry = 0; entry < count; entry += 1) {
    const place = placeIn(list, entry);
    const at = starts[place] as number;
    sum ^=
      (terms[at] as number) ^ (marks[at] as number) ^ (traits[place] as number) ^ (body.rows.starts[place] as number);
  }
  touched[0] = sum;
}

/** What is never asked for; but what is read has to go somewhere to be read at all. */
const touched = new Uint32Array(1);

/** Calls back with places of a zone whose documents count, ascending, until told true.
 *  @param sources places in all sets of one of these, two at most; no place is in two
 *  @param expected places that will be enough, likely */
export function eachPlace(
  sources: readonly (readonly PlaceSet[])[],
  view: View,
  zone: Zone,
  expected: number,
  isEnough: (place: number) => boolean,
): void {
  const streams = sources.map((sets, list) => new Stream(view, sets, zone, list, expected));
  for (;;) {
    let first = streams[0];
    for (let index = 1; index < streams.length; index += 1)
      if ((streams[index] as Stream).next < (first as Stream).next) first = streams[index];
    if (first === undefined || first.next === Number.POSITIVE_INFINITY || isEnough(first.next)) return;
    first.advance();
  }
}
