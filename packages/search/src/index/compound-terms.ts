import { lastWordsOfCompounds } from "../analysis/compounds.ts";
import { Uint16List, Uint32List } from "../arrays/shared-arrays.ts";
import type { TermTable } from "../terms/term-table.ts";
import type { DocumentLog } from "./pack-leaf.ts";
import { fieldMaskOf, lastPosition, packPayload } from "./postings.ts";

/**
 * Adds the last word of each compound to the documents that contain the compound, in the same fields and at the last
 * position, so that it does not count as the start of a title. Documents that contain the word do not change.
 */
export function addCompoundTerms(log: DocumentLog, terms: TermTable, locale: string): DocumentLog {
  const lasts = lastWordsOfCompounds(terms.texts(), locale);
  if (lasts.size === 0) return log;
  const primary = { starts: new Uint32List(), terms: new Uint32List(), payloads: new Uint16List() };
  const present = new Set<number>();
  for (let document = 0; document + 1 < log.primary.starts.length; document += 1) {
    primary.starts.push(primary.terms.length);
    present.clear();
    const from = log.primary.starts.get(document);
    const end = log.primary.starts.get(document + 1);
    for (let entry = from; entry < end; entry += 1) {
      present.add(log.primary.terms.get(entry));
      primary.terms.push(log.primary.terms.get(entry));
      primary.payloads.push(log.primary.payloads.get(entry));
    }
    for (let entry = from; entry < end; entry += 1) {
      const last = lasts.get(log.primary.terms.get(entry));
      if (last === undefined || present.has(last)) continue;
      present.add(last);
      primary.terms.push(last);
      primary.payloads.push(packPayload(fieldMaskOf(log.primary.payloads.get(entry)), lastPosition));
    }
  }
  primary.starts.push(primary.terms.length);
  return { ...log, primary };
}
