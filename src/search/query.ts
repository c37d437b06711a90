import { chunks, cutQuery, hasDigit } from "./analysis.ts";

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
    for (const part of chunk)
      words.push({ ...part, isPrefix: part.isGram && [...part.text].length === 1, chunk: number });
  });
  const last = words.at(-1);
  if (last !== undefined && !last.isGram) words[words.length - 1] = { ...last, isPrefix: true };
  // A word said twice asks for no more than said once.
  const distinct = words.filter((word, index) => !words.some((other, at) => at > index && other.text === word.text));
  return distinct.slice(0, maxWords);
}

/** Words of a query that may stand joined in a document: `t shirt` and `t-shirt` for `tshirt`. */
export interface Joining {
  readonly text: string;
  /** Places of the words it covers: `from` up to, not including, `to`. */
  readonly from: number;
  readonly to: number;
}

/** Each pair of neighbours, and longer runs that were typed without blanks. */
export function joinings(words: readonly QueryWord[]): Joining[] {
  const found: Joining[] = [];
  for (let from = 0; from < words.length; from += 1) {
    let text = words[from]?.text ?? "";
    for (let to = from + 1; to < words.length; to += 1) {
      const word = words[to] as QueryWord;
      if (word.isGram || words[from]?.isGram) break;
      if (to > from + 1 && word.chunk !== words[from]?.chunk) break;
      text += word.text;
      found.push({ text, from, to: to + 1 });
    }
  }
  return found;
}

/** Singular and plural of a word, where English (and others with -s) write one by the other. The beginnings of plurals are in
 *  it too ("berri" for "berry"), so that no letter typed on the way to one loses what was found. */
export function forms(word: QueryWord): string[] {
  const { text } = word;
  if (word.isGram || text.length < 2 || hasDigit(text)) return [];
  const found = [`${text}s`, `${text}es`];
  if (text.length > 3 && text.endsWith("s") && !text.endsWith("ss")) found.push(text.slice(0, -1));
  const bare = text.replace(/(?<=(?:s|x|z|ch|sh))es?$/, "");
  if (bare !== text) found.push(bare);
  const single = text.replace(/(?<=..[^aeiou])i(?:es?)?$/, "y");
  if (single !== text) found.push(single);
  if (/..[^aeiou]y$/.test(text)) found.push(`${text.slice(0, -1)}ies`);
  return found;
}
