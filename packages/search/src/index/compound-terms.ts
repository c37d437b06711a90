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
  const naming = { starts: new Uint32List(), terms: new Uint32List(), payloads: new Uint16List() };
  const held = new Set<number>();
  for (let document = 0; document + 1 < log.naming.starts.length; document += 1) {
    naming.starts.push(naming.terms.length);
    held.clear();
    const from = log.naming.starts.get(document);
    const end = log.naming.starts.get(document + 1);
    for (let entry = from; entry < end; entry += 1) {
      held.add(log.naming.terms.get(entry));
      naming.terms.push(log.naming.terms.get(entry));
      naming.payloads.push(log.naming.payloads.get(entry));
    }
    for (let entry = from; entry < end; entry += 1) {
      const last = lasts.get(log.naming.terms.get(entry));
      if (last === undefined || held.has(last)) continue;
      held.add(last);
      naming.terms.push(last);
      naming.payloads.push(packPayload(fieldMaskOf(log.naming.payloads.get(entry)), lastPosition));
    }
  }
  naming.starts.push(naming.terms.length);
  return { ...log, naming };
}
