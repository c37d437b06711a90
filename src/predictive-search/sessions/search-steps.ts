import type { MadeSearch } from "../search-trails.ts";

/** Something that a visitor did about a search. */
export type SearchStep = MadeStep | ChoiceStep;

interface Step {
  /** Whose: known to the browser that it was given to, and kept in memory alone. */
  readonly visitor: string;
  /** Path and query of the page on which it was done. */
  readonly page: string;
  /** Where the visitor's connection comes from. */
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface MadeStep extends Step, MadeSearch {
  readonly kind: "searched";
  /** Something holds all its words. */
  readonly isFound: boolean;
}

export interface ChoiceStep extends Step {
  readonly kind: "opened" | "added";
  /** The product's handle. */
  readonly product: string;
}

/** A step as a request tells of it. */
export type RawStep = (Omit<MadeStep, "page"> | Omit<ChoiceStep, "page">) & {
  /** What the request says of the page that it comes from. */
  readonly referer: string;
  /** The shop's, as the request knows it. */
  readonly origin: string;
};

/** Takes steps in the order in which they are done, one at a keystroke: well under a microsecond. */
export interface StepLog {
  add(step: RawStep): void;
  /** Hands on what is gathered. */
  flush(): void;
}

/** Milliseconds for which steps are gathered before they are handed on. */
const GATHERED_MS = 1_000;
/** Steps that are gathered at most; further ones are not counted, which a flood alone brings about. */
const MAX_GATHERED = 5_000;
/** Characters of a search or page beyond which it is not counted. */
const MAX_LENGTH = 300;

/** Gathers steps, of what is typed letter by letter the last alone.
 *  @param pageOf path and query of a page of this shop; undefined for all others  @param take given steps in their order */
export function createStepLog(
  pageOf: (referer: string, origin: string) => string | undefined,
  take: (steps: readonly SearchStep[]) => void,
): StepLog {
  let steps: RawStep[] = [];
  /** By visitor: where their last step stands, if that is something that is being typed. */
  let typing = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const gathered = steps;
    steps = [];
    typing = new Map();
    const known = gathered.flatMap(({ referer, origin, ...step }): SearchStep[] => {
      const page = pageOf(referer, origin);
      return page === undefined || page.length > MAX_LENGTH ? [] : [{ ...step, page }];
    });
    if (known.length > 0) take(known);
  };
  return {
    add(step) {
      const { visitor } = step;
      const place = typing.get(visitor);
      const before = place === undefined ? undefined : steps[place];
      if (step.kind === "searched" && step.q.length > MAX_LENGTH) return;
      if (place !== undefined && before?.kind === "searched" && isTypedOn(before, step)) {
        steps[place] = latest(before, step);
        return;
      }
      if (steps.length >= MAX_GATHERED) return;
      if (step.kind === "searched" && step.source === "suggestions") typing.set(visitor, steps.length);
      else if (place !== undefined) typing.delete(visitor);
      steps.push(step);
      timer ??= setTimeout(flush, GATHERED_MS).unref();
    },
    flush,
  };
}

type RawSearch = Extract<RawStep, { readonly kind: "searched" }>;

function isTypedOn(before: RawSearch, step: RawStep): step is RawSearch {
  if (step.kind !== "searched" || step.source === "page") return false;
  return before.referer === step.referer && goesOn(before.q, step.q);
}

/** What was typed by now: who deletes letters, as to begin anew, has searched what stood there. */
export function latest<Search extends Pick<MadeStep, "q" | "at">>(before: Search, step: Search): Search {
  return step.q.length < before.q.length && before.q.startsWith(step.q) ? { ...before, at: step.at } : step;
}

/** Whether one text is on the way of typing the other: one begins with the other, but for two letters that were wrong. */
export function goesOn(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let common = 0;
  while (common < shorter && one.charCodeAt(common) === other.charCodeAt(common)) common += 1;
  return common >= Math.max(1, shorter - 2);
}
