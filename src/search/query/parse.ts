import { chunks, cutQuery } from "../analysis/chunks.ts";
import { maxQuantityTokens, quantity } from "../analysis/quantities.ts";

/** One word of what was typed. */
export interface QueryWord {
  readonly text: string;
  readonly isGram: boolean;
  /** The last word may still be unfinished, and so may a lone character of a script without spaces. */
  readonly isPrefix: boolean;
  /** Words of the same chunk were typed without a blank between. */
  readonly chunk: number;
}

/** Words that count; later ones are left out. */
export const maxWords = 16;

/** What was typed, in words; none where it holds no letter and no digit. */
export function parseQuery(text: string): QueryWord[] {
  const words: QueryWord[] = [];
  chunks(cutQuery(text), true).forEach((chunk, number) => {
    for (const token of chunk)
      words.push({ ...token, isPrefix: token.isGram && [...token.text].length === 1, chunk: number });
  });
  const last = words.at(-1);
  if (last !== undefined && !last.isGram) words[words.length - 1] = { ...last, isPrefix: true };
  // A word said twice asks for no more than said once.
  const distinct = words.filter((word, index) => !words.some((other, at) => at > index && other.text === word.text));
  return distinct.slice(0, maxWords);
}

/** Words of a query that may stand as one in a document. */
export interface Shingle {
  readonly text: string;
  /** Places of the words it covers: `from` up to, not including, `to`. */
  readonly from: number;
  readonly to: number;
  /** False: the document must say it whole, as quantities are. */
  readonly mayGoOn: boolean;
}

/** Each pair of neighbours (`t shirt` and `t-shirt` for `tshirt`), longer runs that were typed without blanks, and quantities
 *  ("1 l" for "1000ml"). */
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
