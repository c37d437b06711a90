import { chunks, cutQuery } from "../analysis/chunks.ts";
import { maxQuantityTokens, quantity } from "../analysis/quantities.ts";

/** A word of a query. */
export interface QueryWord {
  readonly text: string;
  readonly isGram: boolean;
  /** Terms that begin with it match too: it is the last word, which may be unfinished, or a single character of a script without spaces. */
  readonly isPrefix: boolean;
  /** Number of its chunk: words of one chunk were typed without a blank between. */
  readonly chunk: number;
}

/** Words of a query that are searched; later ones are dropped. */
export const maxWords = 16;

/** The words of a query; none where it has no letter and no digit. */
export function parseQuery(text: string): QueryWord[] {
  const words: QueryWord[] = [];
  chunks(cutQuery(text), true).forEach((chunk, number) => {
    for (const token of chunk)
      words.push({ ...token, isPrefix: token.isGram && [...token.text].length === 1, chunk: number });
  });
  const last = words.at(-1);
  if (last !== undefined && !last.isGram) words[words.length - 1] = { ...last, isPrefix: true };
  // A word that comes twice asks for nothing more.
  const distinct = words.filter((word, index) => !words.some((other, at) => at > index && other.text === word.text));
  return distinct.slice(0, maxWords);
}

/** Neighbouring words of a query that may be one term in a document. */
export interface Shingle {
  readonly text: string;
  /** The words: `from` up to, not including, `to`. */
  readonly from: number;
  readonly to: number;
  /** Terms that begin with it match too, where its last word is a prefix. Quantities match whole. */
  readonly mayGoOn: boolean;
}

/** The shingles of a query: each pair of neighbours (`t shirt` and `t-shirt` for `tshirt`), longer runs that were typed without blanks, and
 *  quantities ("1 l" for "1000ml"). */
export function shingles(words: readonly QueryWord[]): Shingle[] {
  const found: Shingle[] = [];
  for (let from = 0; from < words.length; from += 1) {
    if (words[from]?.isGram) continue;
    let text = "";
    const texts: string[] = [];
    for (let to = from; to < words.length; to += 1) {
      const word = words[to] as QueryWord;
      if (word.isGram) break;
      text += word.text;
      texts.push(word.text);
      const said = texts.length <= maxQuantityTokens ? quantity(texts) : undefined;
      if (said !== undefined && said !== text) found.push({ text: said, from, to: to + 1, mayGoOn: false });
      if (to === from) continue;
      if (to > from + 1 && word.chunk !== words[from]?.chunk) {
        if (to > from + maxQuantityTokens) break;
        continue;
      }
      found.push({ text, from, to: to + 1, mayGoOn: true });
    }
  }
  return found;
}
