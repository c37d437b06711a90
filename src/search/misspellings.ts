import { prefixRange, textCount } from "./dictionary.ts";
import { createMemory, recalled, remembered } from "./memory.ts";
import type { Part } from "./part.ts";
import type { Way } from "./ranking.ts";
import { typoRuns } from "./typo.ts";
import type { Ranges, TypoRun } from "./typo-runs.ts";

/** Misspellings by run of terms: ascending and apart from one another; they may be many. */
export interface Bent {
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  /** By run: how it meets the word, see `bentWay`. */
  readonly ways: Uint8Array;
  /** One bit for 32 terms: whether any of them lies in a run. Most terms of a document lie in none. */
  readonly near: Uint32Array;
}

const nothing = new Uint32Array(0);
export const noBent: Bent = { lows: nothing, highs: nothing, ways: new Uint8Array(0), near: nothing };

const bentWays = ["typo", "twoTypos", "typoPrefix", "twoTyposPrefix"] as const;
const bentOf = createMemory<Bent>();

/** Terms of a part that some edits make of a word. */
export function bentRanges(part: Part, text: string, edits: number): Bent {
  return remembered(
    bentOf,
    part,
    `${edits}${text}`,
    ({ lows, near }) => 1 + lows.length + (near.length >>> 2),
    () => packBent(typoRuns(part.terms, text, edits, nearBefore(part, text, edits)), textCount(part.terms)),
  );
}

/** Terms that were near the word one letter ago: what is as near now was so then, or began with it. */
function nearBefore(part: Part, text: string, edits: number): Ranges | undefined {
  const before = text.slice(0, -1);
  const known = recalled(bentOf, part, `${edits}${before}`);
  if (known === undefined) return undefined;
  const { low, high } = prefixRange(part.terms, before);
  const lows = [...known.lows];
  const highs = [...known.highs];
  const at = lows.findIndex((other) => other >= low);
  if (low < high) {
    lows.splice(at < 0 ? lows.length : at, 0, low);
    highs.splice(at < 0 ? highs.length : at, 0, high);
  }
  return { lows, highs };
}

function packBent(runs: readonly TypoRun[], terms: number): Bent {
  if (runs.length === 0) return noBent;
  const near = new Uint32Array((terms >>> 10) + 1);
  for (const { low, high } of runs)
    for (let group = low >>> 5; group <= (high - 1) >>> 5; group += 1)
      near[group >>> 5] = (near[group >>> 5] as number) | (1 << (group & 31));
  return {
    lows: Uint32Array.from(runs, ({ low }) => low),
    highs: Uint32Array.from(runs, ({ high }) => high),
    ways: Uint8Array.from(runs, ({ edits, isWhole }) => bentWays.indexOf(typoWay(edits, isWhole))),
    near,
  };
}

/** How a term met a misspelt word that it is, or begins with (`isWhole`: is), with 1 or 2 edits. */
export function typoWay(edits: number, isWhole: boolean): (typeof bentWays)[number] {
  if (isWhole) return edits === 1 ? "typo" : "twoTypos";
  return edits === 1 ? "typoPrefix" : "twoTyposPrefix";
}

/** How a run of misspellings meets a word. */
export function bentWay({ ways }: Bent, run: number): Way {
  return bentWays[ways[run] as number] as Way;
}

/** The run of misspellings that a term lies in, or -1. */
export function bentRun({ lows, highs, near }: Bent, term: number): number {
  if ((((near[term >>> 10] ?? 0) >>> ((term >>> 5) & 31)) & 1) === 0) return -1;
  let low = 0;
  let high = highs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((highs[middle] as number) <= term) low = middle + 1;
    else high = middle;
  }
  return low < lows.length && (lows[low] as number) <= term ? low : -1;
}
