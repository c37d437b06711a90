import { languageOf } from "./languages/registry.ts";

/** Letters of a compound, of its last word, and of what stands before that, at least. */
const shortest = { compound: 8, last: 4, first: 3 } as const;

/** The last words of compounds: "Regenjacke" ends in "Jacke". Both words of a compound must be among the terms themselves.
 *  @param terms folded, each once  @returns index of a compound -> index of its last word; empty in languages that write no compounds */
export function lastWordsOfCompounds(terms: readonly string[], locale: string): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const links = languageOf(locale)?.compoundLinks;
  if (links === undefined) return found;
  const link = new RegExp(`(?:${links.join("|")})$`);
  const known = new Map(terms.map((text, term) => [text, term]));
  for (const [text, term] of known) {
    if (text.length < shortest.compound || !/^\p{L}+$/u.test(text)) continue;
    for (let at = shortest.first; at <= text.length - shortest.last; at += 1) {
      const first = text.slice(0, at);
      const last = known.get(text.slice(at));
      if (last === undefined || !(known.has(first) || known.has(first.replace(link, "")))) continue;
      found.set(term, last);
      break;
    }
  }
  return found;
}
