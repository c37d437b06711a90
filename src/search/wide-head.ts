/** The best documents so far, best first; of a document met twice the better counts. */
export class WideHead {
  length = 0;
  readonly places: Uint32Array;
  readonly #values: Int32Array;
  /** What comes in must be better than this, or as good with a place before `last`. */
  floor = -1;
  last = -1;

  /** @param most documents remembered */
  constructor(most: number) {
    this.places = new Uint32Array(most);
    this.#values = new Int32Array(most);
  }

  offerAll(other: WideHead): void {
    for (let index = 0; index < other.length; index += 1) {
      const value = other.#values[index] as number;
      const place = other.places[index] as number;
      if (value > this.floor || (value === this.floor && place < this.last)) this.offer(value, place);
    }
  }

  offer(value: number, place: number): void {
    const { places } = this;
    const most = places.length;
    const values = this.#values;
    let end = this.length;
    for (let index = 0; index < this.length; index += 1) if (places[index] === place) end = index;
    if (end < this.length) {
      if ((values[end] as number) >= value) return;
    } else if (end < most) this.length += 1;
    else end -= 1;
    // Those that are worse move one place, over the one that is gone.
    let at = end;
    for (; at > 0; at -= 1) {
      const before = values[at - 1] as number;
      if (before > value || (before === value && (places[at - 1] as number) < place)) break;
      values[at] = before;
      places[at] = places[at - 1] as number;
    }
    values[at] = value;
    places[at] = place;
    if (this.length < most) return;
    this.floor = values[most - 1] as number;
    this.last = places[most - 1] as number;
  }
}
