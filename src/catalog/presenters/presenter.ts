import { fnv1a } from "../../runtime/hash.ts";
import type { Image } from "../product.ts";

/** The fields under which one kind of thing is shown, by name, each with how it is computed. JSON writes them all, a template reads those that
 *  it names, so both say the same. Values are plain data (texts, numbers, booleans, lists, records); undefined: there is none.
 *  Amounts are in minor units. */
export type Presenter<Subject> = Readonly<Record<string, (subject: Subject) => unknown>>;

/** Makes records of every field, as JSON has them: null where there is no value. Called once for each presenter. */
export function recordsOf<Subject>(presenter: Presenter<Subject>): (subject: Subject) => Record<string, unknown> {
  const readers = Object.entries(presenter);
  const names = Object.fromEntries(readers.map(([name]) => [name, null]));
  // An object to which many computed names are added becomes a hash table, several times slower to write; what the parser makes,
  // and copies of it, do not. Copying costs more than adding few names.
  const empty: Record<string, unknown> = readers.length > MANY_NAMES ? JSON.parse(JSON.stringify(names)) : {};
  return (subject) => {
    const record = readers.length > MANY_NAMES ? { ...empty } : {};
    for (const [name, read] of readers) record[name] = read(subject) ?? null;
    return record;
  };
}

/** Computed names that V8 adds to an object before it makes a hash table of it. */
const MANY_NAMES = 12;

/** Amounts under their names and under the same names with `_cents`. @see spec 2.3 */
export function withCents<Amounts extends Presenter<never>>(
  amounts: Amounts,
): Amounts & { readonly [Name in keyof Amounts & string as `${Name}_cents`]: Amounts[Name] } {
  const cents = Object.entries(amounts).map(([name, read]) => [`${name}_cents`, read] as const);
  return { ...amounts, ...Object.fromEntries(cents) } as never;
}

/** An id as it is shown: a number where it is written like one, as scripts compare it with `===`; else the text itself. */
export function shownId(id: string): number | string {
  return /^(?:0|[1-9]\d{0,15})$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}

/** A picture with what is said of it. */
export interface ShownImage extends Image {
  readonly alt: string;
  /** 1 for the first of its product. */
  readonly position: number;
}

/** @param title says what is shown where the picture has no text of its own */
export function shownImage(image: Image | undefined, title: string, position = 1): ShownImage | undefined {
  return image === undefined ? undefined : { ...image, alt: image.alt ?? title, position };
}

export const imagePresenter = {
  url: ({ src }) => src,
  alt: ({ alt }) => alt,
  width: ({ width }) => width,
  height: ({ height }) => height,
  // A picture of unknown size is taken for a square: themes divide by this.
  aspect_ratio: ({ width, height }): number => (width && height ? width / height : 1),
} satisfies Presenter<ShownImage>;

/** A picture as one of a product's media. */
export const mediaPresenter = {
  ...imagePresenter,
  id: ({ src }) => fnv1a(src),
  src: ({ src }) => src,
  media_type: () => "image",
  position: ({ position }) => position,
} satisfies Presenter<ShownImage>;
