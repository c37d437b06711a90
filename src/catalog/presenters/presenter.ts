import { hashFnv1a } from "../../runtime/hash.ts";
import type { Image } from "../product.ts";

/**
 * Fields of an object for JSON and templates: names with getters. JSON and templates use the same fields, so both show
 * the same values. Values are plain data (strings, numbers, booleans, lists, records), or undefined for no value.
 * Amounts are in minor units.
 */
export type Presenter<Subject> = Readonly<Record<string, (subject: Subject) => unknown>>;

/**
 * Returns a function that creates records with every field, as in JSON. Fields without a value are null. Call it once
 * per presenter.
 */
export function createSerializer<Subject>(
  presenter: Presenter<Subject>,
): (subject: Subject) => Record<string, unknown> {
  const getters = Object.entries(presenter);
  const nullFields = Object.fromEntries(getters.map(([name]) => [name, null]));
  // V8 turns an object that gets many computed names into a hash table, which is several times slower to serialize.
  // Objects from the JSON parser and their copies stay fast. For few names, adding them is cheaper than copying.
  const emptyRecord: Record<string, unknown> =
    getters.length > MAX_COMPUTED_NAMES ? JSON.parse(JSON.stringify(nullFields)) : {};
  return (subject) => {
    const record = getters.length > MAX_COMPUTED_NAMES ? { ...emptyRecord } : {};
    for (const [name, getValue] of getters) record[name] = getValue(subject) ?? null;
    return record;
  };
}

/** Number of computed names after which V8 turns an object into a hash table. */
const MAX_COMPUTED_NAMES = 12;

/** Returns each amount twice: under its name, and with the suffix `_cents`.  @see spec 2.3 */
export function addCentsFields<Amounts extends Presenter<never>>(
  amounts: Amounts,
): Amounts & { readonly [Name in keyof Amounts & string as `${Name}_cents`]: Amounts[Name] } {
  const centFields = Object.entries(amounts).map(([name, getValue]) => [`${name}_cents`, getValue] as const);
  return { ...amounts, ...Object.fromEntries(centFields) } as never;
}

/** Returns an id for JSON: a number for a decimal integer, because scripts compare ids with `===`, else the string. */
export function formatPublicId(id: string): number | string {
  return /^(?:0|[1-9]\d{0,15})$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}

/** An image with its alternative text and position. */
export interface ImageView extends Image {
  readonly alt: string;
  /** Position among the product's images, starting at 1. */
  readonly position: number;
}

/** Adds alternative text and position to an image.  @param title alternative text for images without their own */
export function createImageView(image: Image | undefined, title: string, position = 1): ImageView | undefined {
  return image === undefined ? undefined : { ...image, alt: image.alt ?? title, position };
}

export const imagePresenter = {
  url: ({ src }) => src,
  alt: ({ alt }) => alt,
  width: ({ width }) => width,
  height: ({ height }) => height,
  // If the size is unknown, the ratio is 1 instead of 0, because themes divide by it.
  aspect_ratio: ({ width, height }): number => (width && height ? width / height : 1),
} satisfies Presenter<ImageView>;

/** Fields of an image in a product's media. */
export const mediaPresenter = {
  ...imagePresenter,
  id: ({ src }) => hashFnv1a(src),
  src: ({ src }) => src,
  media_type: () => "image",
  position: ({ position }) => position,
} satisfies Presenter<ImageView>;
