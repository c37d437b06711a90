/** The fields of documents, as the caller of the search declares them. A field is known by its number: its index in `fields`. */
export interface Schema {
  /** First the one title, then up to seven other fields that name a document, last its one body. The earlier a field, the more its positions
   *  count, as a document's words have one position each: the first. */
  readonly fields: readonly Field[];
  /** What a title says a thing is for ("case for iPhone") counts as a field of its own, with this name in explanations and these points. */
  readonly purpose: { readonly label: string; readonly weight: number };
  /** The number of a naming field whose first text that has words is the category of a document: what kind of thing the shop says it is. Absent:
   *  there is none. */
  readonly category?: number;
}

export interface Field {
  /** What explanations call it. */
  readonly label: string;
  /** Points of a whole word found in it, 1 to 255. */
  readonly weight: number;
  /** How its texts are indexed:
   *  - `title`: as phrases, the end of each of which counts more; completions are made of it
   *  - `phrase`: as text; completions take it as a whole
   *  - `text`: words
   *  - `code`: one word, however it is spaced
   *  - `body`: words without positions, apart from those of the other fields */
  readonly kind: "title" | "phrase" | "text" | "code" | "body";
}

/** Fields beside the body: a payload has one bit for each. */
export const maxNamingFields = 8;

/** @throws Error that tells what is wrong with a schema */
export function checkSchema({ fields, purpose }: Schema): void {
  const isInPlace = fields.every(
    ({ kind }, number) => (kind === "title") === (number === 0) && (kind === "body") === (number === fields.length - 1),
  );
  if (fields.length < 2 || !isInPlace)
    throw new Error("a schema has one title, which is first, and one body, which is last");
  if (fields.length > maxNamingFields + 1) throw new Error(`a schema has at most ${maxNamingFields} fields and a body`);
  const odd = [...fields, purpose].find(({ weight }) => !(Number.isInteger(weight) && weight > 0 && weight < 256));
  if (odd !== undefined)
    throw new Error(`the weight of "${odd.label}" is ${odd.weight}: give a whole number from 1 to 255`);
}
