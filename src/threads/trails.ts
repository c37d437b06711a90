import type { DistantTrails, MadeSearch, SearchTrails } from "../predictive-search/search-trails.ts";
import type { FromLoop } from "./messages.ts";

/** Trails that the main thread keeps, since a visitor's requests come to any thread.
 *  @returns takes the answers too */
export function createDistantTrails(
  tell: (message: FromLoop) => void,
): DistantTrails & { answer(ask: number, search: MadeSearch | undefined): void } {
  const asked = new Map<number, (search: MadeSearch | undefined) => void>();
  let last = 0;
  const ask =
    (kind: "opened" | "added") =>
    (visitor: string, page: string, product: string, now: number): Promise<MadeSearch | undefined> =>
      new Promise((resolve) => {
        last += 1;
        asked.set(last, resolve);
        tell({ kind, ask: last, visitor, page, product, now });
      });
  return {
    searched: (visitor, page, search, now) => tell({ kind: "searched", visitor, page, search, now }),
    opened: ask("opened"),
    added: ask("added"),
    answer(ask, search) {
      asked.get(ask)?.(search);
      asked.delete(ask);
    },
  };
}

/** What a loop tells of its visitors. @returns the search that it asked for */
export function noteTrail(
  trails: SearchTrails,
  message: Extract<FromLoop, { kind: "searched" | "opened" | "added" }>,
): MadeSearch | undefined {
  const { kind, visitor, page, now } = message;
  if (kind !== "searched") return trails[kind](visitor, page, message.product, now);
  trails.searched(visitor, page, message.search, now);
  return undefined;
}
