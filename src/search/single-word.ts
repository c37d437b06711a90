import type { Attempt } from "./attempts.ts";
import type { Alternative, Plan } from "./expansion.ts";
import { Reader } from "./holding.ts";
import { bentWay } from "./misspellings.ts";
import { isDead, type Part, type View, type Zone } from "./part.ts";
import { brevityOf, impact, mostBrevity, wayShares } from "./ranking.ts";
import type { Offer } from "./search.ts";
import { findWide, headLength } from "./wide.ts";

/** Offers all documents of a zone whose name holds the one word of a query. A document's score is that of its best alternative, and
 *  within one alternative documents are in the order of their impact: of wide ranges the best are known, and of others each posting tells.
 *  @param limit how many are wanted */
export function offerSingle(attempt: Attempt, view: View, plan: Plan, zone: Zone, offer: Offer, limit: number): void {
  const { part, dead } = view;
  const { counted } = attempt;
  const reader = new Reader([plan]);
  const read = (place: number): void => {
    reader.readHead(part, place, counted);
    offer.take(place, 0);
  };
  const seen = new Set<number>();
  for (const range of [...plan.ranges, ...bentAlternatives(plan)]) {
    const heads = counted.isAll && limit <= headLength ? headsOf(part, range, zone) : undefined;
    if (heads === undefined || !takeHeads(attempt, view, heads, zone, limit, seen, read))
      offerPostings(attempt, view, range, zone, offer, seen, read);
  }
  for (const { documents } of plan.sequences)
    for (const place of documents) {
      if (place < zone.from || place >= zone.to || isDead(dead, place) || seen.has(place)) continue;
      seen.add(place);
      if (reader.readHead(part, place, counted) > 0) offer.take(place, 0);
    }
}

function bentAlternatives({ bent }: Plan): Alternative[] {
  return Array.from(bent.lows, (low, run) => {
    const way = bentWay(bent, run);
    return { low, high: bent.highs[run] as number, way, share: wayShares[way] };
  });
}

function headsOf({ wide, documents }: Part, { low, high }: Alternative, zone: Zone): Uint32Array | undefined {
  const index = findWide(wide, low, high);
  if (index < 0) return undefined;
  const at = index * documents.zones.length + documents.zones.indexOf(zone);
  return wide.heads.subarray(wide.headStarts[at], wide.headStarts[at + 1]);
}

/** @returns false where so many of the best are gone or not accepted that others may be wanted */
function takeHeads(
  { query }: Attempt,
  { part, dead }: View,
  heads: Uint32Array,
  zone: Zone,
  limit: number,
  seen: Set<number>,
  read: (place: number) => void,
): boolean {
  const { numbers } = part.documents;
  let taken = 0;
  for (const place of heads) {
    if (taken === limit) return true;
    if (isDead(dead, place) || query.accept?.(numbers[place] as number, zone.type) === false) continue;
    taken += 1;
    if (seen.has(place)) continue;
    seen.add(place);
    read(place);
  }
  return taken === limit || heads.length < headLength;
}

function offerPostings(
  { counted }: Attempt,
  { part, dead }: View,
  { low, high, share }: Alternative,
  zone: Zone,
  offer: Offer,
  seen: Set<number>,
  read: (place: number) => void,
): void {
  const { starts, documents, marks } = part.head.postings;
  const { traits } = part.documents;
  const end = starts[high] as number;
  let floor = offer.floor();
  for (let posting = starts[low] as number; posting < end; posting += 1) {
    const place = documents[posting] as number;
    if (place < zone.from || place >= zone.to) continue;
    // The best it may be, before more of the document is looked at.
    if (share * impact(marks[posting] as number, mostBrevity, counted) < floor) continue;
    const brevity = brevityOf(traits[place] as number, 1);
    const value = share * impact(marks[posting] as number, brevity, counted);
    // A document that scores more by another alternative is met again there.
    if (value < floor || value === 0 || !offer.wants(place, value)) continue;
    if (isDead(dead, place) || seen.has(place)) continue;
    seen.add(place);
    read(place);
    floor = offer.floor();
  }
}
