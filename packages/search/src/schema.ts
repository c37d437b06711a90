/** The fields of documents. A field is identified by its number: its index in `fields`.
 *  @example { fields: [{ label: "title", weight: 100, kind: "title" }, { label: "text", weight: 8, kind: "body" }] } */
export interface Schema {
  /** One title first, then up to seven other fields that name a document, then one body. Words of earlier fields have earlier positions; of a word
   *  that occurs several times, the first position counts. */
  readonly fields: readonly Field[];
  /** The purpose in a title ("case for iPhone") is a separate field, with this name in explanations and these points.
   *  Default: "purpose", with 60% of the points of the title. */
  readonly purpose?: Purpose;
  /** The number of a primary field whose first text is the category of a document. Default: documents have no category. */
  readonly category?: number;
}

interface Purpose {
  readonly label: string;
  /** From 1 to 255. */
  readonly weight: number;
}

export interface Field {
  /** Name of the field in explanations. */
  readonly label: string;
  /** The points of a whole word in the field, from 1 to 255. */
  readonly weight: number;
  /** How texts are indexed:
   *  - `title`: as phrases, the end of each of which counts more; completions are made of it
   *  - `phrase`: as text; completions take it as a whole
   *  - `text`: words
   *  - `code`: one word, however it is spaced
   *  - `body`: words without positions, apart from those of the other fields */
  readonly kind: "title" | "phrase" | "text" | "code" | "body";
}

/** Fields besides the body: a payload has one bit for each. */
export const maxPrimaryFields = 8;

export function purposeOf({ fields: [title], purpose }: Schema): Purpose {
  return purpose ?? { label: "purpose", weight: Math.ceil((title as Field).weight * 0.6) };
}

/** @throws Error that explains what is wrong with a schema */
export function checkSchema(schema: Schema): void {
  const { fields } = schema;
  const isInPlace = fields.every(
    ({ kind }, number) => (kind === "title") === (number === 0) && (kind === "body") === (number === fields.length - 1),
  );
  if (fields.length < 2 || !isInPlace)
    throw new Error("a schema has one title, which is first, and one body, which is last");
  if (fields.length > maxPrimaryFields + 1)
    throw new Error(`a schema has at most ${maxPrimaryFields} fields and a body`);
  const invalid = [...fields, purposeOf(schema)].find(
    ({ weight }) => !(Number.isInteger(weight) && weight > 0 && weight < 256),
  );
  if (invalid !== undefined)
    throw new Error(`the weight of "${invalid.label}" is ${invalid.weight}: give a whole number from 1 to 255`);
}
