import { readFlat } from "../../../../bench/flat-documents.ts";
import { wordsOf } from "./edits.ts";

/** Stop words in the languages of the judged queries. */
const stopWords: ReadonlySet<string> = new Set(
  (
    "a an and as at be by for from in is it its my of on or s t that the this to with without your " +
    "al con de del e el en la las lo los o para por que sin su un una unos y " +
    "am auf aus bei bis das dem den der des die ein eine einem einen einer fur im in ist mit nicht oder ohne um und von vor zu zum zur " +
    "au aux avec ce d des du en et l la le les ma mon ou par pas pour sans sur un une"
  ).split(" "),
);

/** Returns the words of a query without stop words, in lower case without accents. */
export function contentWords(text: string): readonly string[] {
  return wordsOf(text).filter((word) => !stopWords.has(word));
}

/** Index of the documents that contain each of the given words. */
export class WordIndex {
  readonly #documents: ReadonlyMap<string, Set<number>>;

  /** Builds the index.  @param flat path of the documents file  @param words words in lower case without accents */
  constructor(flat: string, words: Iterable<string>) {
    const documents = new Map([...words].map((word) => [word, new Set<number>()]));
    for (const { number, values } of readFlat(flat))
      for (const texts of values)
        for (const text of texts) for (const word of wordsOf(text)) documents.get(word)?.add(number);
    this.#documents = documents;
  }

  /** Returns the documents that contain any of the words in exactly this form. */
  documentsWithAny(words: readonly string[]): ReadonlySet<number> {
    return new Set(words.flatMap((word) => [...(this.#documents.get(word) ?? [])]));
  }

  documentsWith(word: string): number {
    return this.#documents.get(word)?.size ?? 0;
  }
}
