/**
 * Definition of the fields of documents. A field is identified by its number, which is its index in `fields`.
 * @example { fields: [{ label: "title", weight: 100, kind: "title" }, { label: "text", weight: 8, kind: "body" }] }
 */
export interface Schema {
  /**
   * Fields of a document: one title first, then up to seven other fields that name the document, then one body. Words
   * of earlier fields have earlier positions. If a word occurs several times, its first position counts.
   */
  readonly fields: readonly Field[];
  /**
   * Words that state the purpose of a product in its title, such as "iPhone" in "case for iPhone", count as a separate
   * field. This is its name in explanations and its score points. Default: "purpose", with 60% of the title's points.
   */
  readonly purpose?: PurposeField;
  /**
   * Number of the field, other than the body, whose first text is the category of a document. Default: documents have
   * no category.
   */
  readonly category?: number;
  /**
   * Number of the field of kind `phrase` that names the maker. If a title starts with the maker, the maker's first word
   * counts as the last word of a phrase, and its other words do not: "Just Wireless - Charger" is not a "wireless".
   * Default: no field names the maker.
   */
  readonly maker?: number;
}

interface PurposeField {
  readonly label: string;
  /** Score points of a word that states a product's purpose, like "iPhone" in "case for iPhone", from 1 to 255. */
  readonly weight: number;
}

export interface Field {
  /** Name of the field in explanations. */
  readonly label: string;
  /** Score points of a complete word in the field, from 1 to 255. */
  readonly weight: number;
  /**
   * Kind of the field, which determines how its texts are indexed:
   * - `title`: phrases. The last word of a phrase has more score points. Completions are derived from titles.
   * - `phrase`: words. Completions use the entire text.
   * - `text`: words.
   * - `code`: a single word, even if it is written with spaces.
   * - `body`: words without positions, stored separately from the other fields.
   */
  readonly kind: "title" | "phrase" | "text" | "code" | "body";
}

/** Maximum number of fields besides the body. Each posting stores one bit per field. */
export const maxPrimaryFields = 8;

export function getPurposeField({ fields: [title], purpose }: Schema): PurposeField {
  return purpose ?? { label: "purpose", weight: Math.ceil((title as Field).weight * 0.6) };
}

/** Checks a schema.  @throws Error with the reason if the schema is invalid */
export function checkSchema(schema: Schema): void {
  const { fields } = schema;
  const areKindsInOrder = fields.every(
    ({ kind }, number) => (kind === "title") === (number === 0) && (kind === "body") === (number === fields.length - 1),
  );
  if (fields.length < 2 || !areKindsInOrder)
    throw new Error("a schema has one title, which is first, and one body, which is last");
  if (fields.length > maxPrimaryFields + 1)
    throw new Error(`a schema has at most ${maxPrimaryFields} fields and a body`);
  const invalidField = [...fields, getPurposeField(schema)].find(
    ({ weight }) => !(Number.isInteger(weight) && weight > 0 && weight < 256),
  );
  if (invalidField !== undefined)
    throw new Error(
      `the weight of "${invalidField.label}" is ${invalidField.weight}: give a whole number from 1 to 255`,
    );
}
