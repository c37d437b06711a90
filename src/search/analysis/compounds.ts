import { Uint16List, Uint32List } from "../arrays/shared-arrays.ts";
import type { DocumentLog } from "../index/pack-leaf.ts";
import { fieldMaskOf, fieldsOf, lastPosition, packPayload } from "../index/postings.ts";
import type { TermTable } from "../terms/term-table.ts";

/** Languages that write compounds as one word. */
const compounding = /^(?:de|nl|sv|da|nb|nn|no|fi|is)(?:-|$)/i;
/** Letters of a compound, of its last word, and of what stands before that, at least. */
const shortest = { compound: 8, last: 4, first: 3 } as const;
/** What may stand between the words of a compound: `Arbeitshose`, `Sonnenbrille`. */
const links = /(?:es|en|er|s|n|e)$/;

/** Makes the last word of a compound known as a word of its own, far from the beginning: "Regenjacke" is found by "Jacke". Both
 *  of its words must stand somewhere in the catalogue. */
export function addCompounds(log: DocumentLog, terms: TermTable, locale: string): DocumentLog {
  if (!compounding.test(locale)) return log;
  const lasts = lastWords(terms);
  if (lasts.size === 0) return log;
  const naming = { starts: new Uint32List(), terms: new Uint32List(), payloads: new Uint16List() };
  const held = new Set<number>();
  for (let document = 0; document + 1 < log.naming.starts.length; document += 1) {
    naming.starts.push(naming.terms.length);
    held.clear();
    const end = log.naming.starts.get(document + 1);
    for (let entry = log.naming.starts.get(document); entry < end; entry += 1) {
      held.add(log.naming.terms.get(entry));
      naming.terms.push(log.naming.terms.get(entry));
      naming.payloads.push(log.naming.payloads.get(entry));
    }
    for (let entry = log.naming.starts.get(document); entry < end; entry += 1) {
      const last = lasts.get(log.naming.terms.get(entry));
      if (last === undefined || held.has(last)) continue;
      held.add(last);
      naming.terms.push(last);
      naming.payloads.push(packPayload(fieldsOf(fieldMaskOf(log.naming.payloads.get(entry))), lastPosition));
    }
  }
  naming.starts.push(naming.terms.length);
  return { ...log, naming };
}

/** Compound -> its last word. */
function lastWords(terms: TermTable): Map<number, number> {
  const known = new Map<string, number>();
  terms.texts().forEach((text, term) => {
    known.set(text, term);
  });
  const found = new Map<number, number>();
  for (const [text, term] of known) {
    if (text.length < shortest.compound || !/^\p{L}+$/u.test(text)) continue;
    for (let at = shortest.first; at <= text.length - shortest.last; at += 1) {
      const first = text.slice(0, at);
      const last = known.get(text.slice(at));
      if (last === undefined || !(known.has(first) || known.has(first.replace(links, "")))) continue;
      found.set(term, last);
      break;
    }
  }
  return found;
}
