import type { Attempt } from "./attempts.ts";
import type { Plan } from "./expansion.ts";
import { Reader } from "./holding.ts";
import type { Loosest } from "./loose.ts";
import type { View, Zone } from "./part.ts";
import type { PlaceSet } from "./place-set.ts";
import { eachPlace } from "./place-streams.ts";
import { allOf, isLacking, isMet, noteLacking } from "./word-levels.ts";
import { placesOf, placesOfAll } from "./word-places.ts";

/** Where an attempt reads its documents. */
export interface Source {
  /** Calls back with places of a zone, ascending, whose documents have been read (see `holding`), until told true. */
  each(view: number, zone: Zone, withBody: boolean, expected: number, isEnough: (place: number) => boolean): void;
}

/** Documents that hold all words: in what names them, or else (`withBody`) some of them in the description alone. */
export class WholeSource implements Source {
  readonly #attempt: Attempt;
  readonly #readers: Reader[] = [];
  /** By view, twice: of what names a thing, and of all. Empty: no document holds all words. */
  readonly #sets: (readonly PlaceSet[])[] = [];

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
  }

  each(viewIndex: number, zone: Zone, withBody: boolean, expected: number, isEnough: (place: number) => boolean): void {
    const { counted, plans, views } = this.#attempt;
    if (withBody && counted.body === 0) return;
    const view = views[viewIndex] as View;
    const { part } = view;
    const ofView = plans[viewIndex] as readonly Plan[];
    if (withBody && isLacking(view, zone, ofView)) return;
    const at = viewIndex * 2 + (withBody ? 1 : 0);
    this.#sets[at] ??= withBody ? placesOfAll(part, ofView) : namedPlaces(view, ofView);
    const sets = this.#sets[at];
    if (sets.length === 0) return;
    this.#readers[viewIndex] ??= new Reader(ofView);
    const reader = this.#readers[viewIndex];
    let hasMet = false;
    eachPlace([sets], view, zone, expected, (place) => {
      let held = reader.readHead(part, place, counted);
      const isNamed = held === ofView.length;
      if (withBody && !isNamed) held += reader.readBody(part, place, counted);
      if (held < ofView.length) return false;
      hasMet = true;
      return isNamed !== withBody && isEnough(place);
    });
    if (withBody && !hasMet && counted.isAll && ofView.length > 1) noteLacking(view, zone, ofView);
  }
}

/** Documents that hold all words in what names them: they are in all of some sets. */
function namedPlaces(view: View, plans: readonly Plan[]): readonly PlaceSet[] {
  const last = plans.at(-1) as Plan;
  if (last.headSize === 0) return [];
  const own = placesOf(view.part, last, false);
  if (plans.length === 1) return [own];
  if (plans.some(({ headSize }) => headSize === 0) || !isMet(view, plans)) return [];
  const before = allOf(view, plans.slice(0, -1));
  return before === "none" ? [] : [before, own];
}

/** Documents that hold most words. */
export class LooseSource implements Source {
  readonly #attempt: Attempt;
  readonly #loosest: readonly Loosest[];
  readonly #readers: Reader[] = [];

  constructor(attempt: Attempt, loosest: readonly Loosest[]) {
    this.#attempt = attempt;
    this.#loosest = loosest;
  }

  each(viewIndex: number, zone: Zone, _: boolean, expected: number, isEnough: (place: number) => boolean): void {
    const { counted, plans, views, loose } = this.#attempt;
    const view = views[viewIndex] as View;
    const { count, sources } = this.#loosest[viewIndex] as Loosest;
    if (count !== loose?.count) return;
    this.#readers[viewIndex] ??= new Reader(plans[viewIndex] as readonly Plan[]);
    const reader = this.#readers[viewIndex];
    eachPlace(sources, view, zone, expected, (place) => {
      reader.readHead(view.part, place, counted);
      reader.readBody(view.part, place, counted);
      return isEnough(place);
    });
  }
}
