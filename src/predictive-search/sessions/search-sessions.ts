import { createSearchTrails, type MadeSearch } from "../search-trails.ts";
import { goesOn, latest, type MadeStep, type SearchStep } from "./search-steps.ts";

/** What became of a search. */
export interface SearchOutcome {
  /** As it was typed in the end. */
  readonly q: string;
  readonly locale: string;
  /** "searched" is told of every search, the others beside it: nothing holds its words; something was opened, or taken at once; something was taken. */
  readonly outcome: "searched" | "not_found" | "chosen" | "added";
  /** Where the shopper's connection comes from. */
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Tells searches from what is typed on the way to them, and what is opened and taken after each. In the memory of one thread: all steps of a
 *  visitor come here. */
export interface SearchSessions {
  /** @param steps in their order */
  take(steps: readonly SearchStep[]): void;
  /** Tells of what is being typed as if it were done. */
  close(): void;
}

/** Who has not typed on for so many milliseconds has typed it all. */
const PAUSE_MS = 10_000;
/** How often it is looked for who has, in milliseconds. */
const LOOK_MS = 1_000;
/** Visitors who may be typing at once; of more the first are told of as they are. */
const MAX_TYPING = 10_000;

export function createSearchSessions(tell: (outcome: SearchOutcome) => void, now: () => number): SearchSessions {
  const trails = createSearchTrails();
  /** By visitor, who typed last is last. */
  const typing = new Map<string, MadeStep>();
  let timer: NodeJS.Timeout | undefined;

  const settle = ({ visitor, q, locale, isFound, address, at }: MadeStep): void => {
    typing.delete(visitor);
    if (q.trim() === "") return;
    tell({ q, locale, address, at, outcome: "searched" });
    if (!isFound) tell({ q, locale, address, at, outcome: "not_found" });
  };
  const settleUntil = (time: number): void => {
    for (const step of typing.values()) {
      if (step.at > time && typing.size <= MAX_TYPING) break;
      settle(step);
    }
  };
  const look = (): void => {
    settleUntil(now() - PAUSE_MS);
    timer = typing.size === 0 ? undefined : setTimeout(look, LOOK_MS).unref();
  };
  const searched = (step: MadeStep): void => {
    const { visitor, page, at, q, locale, source } = step;
    const before = typing.get(visitor);
    typing.delete(visitor);
    const isTypedOn = before !== undefined && at - before.at <= PAUSE_MS && goesOn(before.q, q);
    if (before !== undefined && !isTypedOn) settle(before);
    trails.searched(visitor, page, { q, locale, source }, at);
    if (source === "page") settle(step);
    else typing.set(visitor, isTypedOn ? latest(before, step) : step);
  };
  const chosen = ({ kind, visitor, page, product, address, at }: Exclude<SearchStep, MadeStep>): void => {
    const search: MadeSearch | undefined = trails[kind](visitor, page, product, at);
    if (search === undefined) return;
    const before = typing.get(visitor);
    if (before !== undefined) settle(before);
    const { q, locale } = search;
    // Told again, it counts once; but for it, what was opened after a beginning that was typed on would count alone.
    tell({ q, locale, address, at, outcome: "searched" });
    tell({ q, locale, address, at, outcome: "chosen" });
    if (kind === "added") tell({ q, locale, address, at, outcome: "added" });
  };
  return {
    take(steps) {
      for (const step of steps) {
        if (step.kind === "searched") searched(step);
        else chosen(step);
      }
      settleUntil(now() - PAUSE_MS);
      if (typing.size > 0) timer ??= setTimeout(look, LOOK_MS).unref();
    },
    close() {
      clearTimeout(timer);
      settleUntil(Number.POSITIVE_INFINITY);
    },
  };
}
