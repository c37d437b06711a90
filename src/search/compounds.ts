import type { DocumentLog } from "./part-packing.ts";
import { fieldsOf, lastPosition, mark, maskOfMark } from "./postings.ts";
import { Uint16List, Uint32List } from "./shared-arrays.ts";
import type { TermTable } from "./term-table.ts";

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
  const head = { starts: new Uint32List(), terms: new Uint32List(), marks: new Uint16List() };
  const held = new Set<number>();
  for (let document = 0; document + 1 < log.head.starts.length; document += 1) {
    head.starts.push(head.terms.length);
    held.clear();
    const end = log.head.starts.get(document + 1);
    for (let entry = log.head.starts.get(document); entry < end; entry += 1) {
      held.add(log.head.terms.get(entry));
      head.terms.push(log.head.terms.get(entry));
      head.marks.push(log.head.marks.get(entry));
    }
    for (let entry = log.head.starts.get(document); entry < end; entry += 1) {
      const last = lasts.get(log.head.terms.get(entry));
      if (last === undefined || held.has(last)) continue;
      held.add(last);
      head.terms.push(last);
      head.marks.push(mark(fieldsOf(maskOfMark(log.head.marks.get(entry))), lastPosition));
    }
  }
  head.starts.push(head.terms.length);
  return { ...log, head };
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
