/** The units that the search knows; see the table in `analysis/units.ts`. */
export type UnitSymbol =
  | ("mm" | "cm" | "m" | "km" | "inch" | "ft" | "yd")
  | ("ml" | "cl" | "dl" | "l" | "m3" | "floz" | "pt" | "qt" | "gal")
  | ("mg" | "g" | "kg" | "oz" | "lb")
  | ("cm2" | "m2" | "sqin" | "sqft" | "cuin" | "cuft" | "cuyd")
  | ("w" | "kw" | "hp" | "btu" | "va" | "kva" | "wh" | "kwh" | "v" | "kv" | "ma" | "a" | "mah" | "ah" | "ohm")
  | ("mb" | "gb" | "tb" | "hz" | "khz" | "mhz" | "ghz" | "mp" | "rpm")
  | ("lm" | "k" | "psi" | "bar" | "db" | "awg" | "deg" | "percent" | "h" | "pc");

/** A language file. All fields but `code` are optional. Words and endings are folded, except `fillers`. */
export interface LanguageData {
  /** ISO 639-1. */
  readonly code: string;
  /** Articles: the inflection rules skip them. */
  readonly articles?: readonly string[];
  /** "el>eln": endings of the singular and of the plural, in addition to -s and -es, which apply to every language. */
  readonly plurals?: readonly string[];
  /** Prefixes that are written together with the next word, and their combinations: "the", "and", "with". */
  readonly proclitics?: readonly string[];
  /** "电電": a character followed by the characters that replace it in another script. Separated by spaces. */
  readonly variants?: readonly string[];
  /** Three rows: the characters of the keys from q to ], from a to ', and from z to / on the keyboard of the language. */
  readonly keyboard?: readonly string[];
  /** Letters between the parts of a compound that is written as one word ("Arbeitshose"). Without them, compounds are not split. */
  readonly compoundLinks?: readonly string[];
  /** Endings that a word loses before the next part of a compound ("Wolle" in "Wollmütze"). */
  readonly compoundDrops?: readonly string[];
  /** Words that end a phrase of a title. */
  readonly phraseBreaks?: readonly string[];
  /** Words after which a title states the purpose of a product: "case for iPhone". */
  readonly purposes?: readonly string[];
  /** Words with which no completion starts or ends: lower case, with accents. */
  readonly fillers?: readonly string[];
  /** Further articles, prepositions, and conjunctions. A query of only these words has no meaning. */
  readonly functionWords?: readonly string[];
  /** Names of units: one word, or two. They must not be common words of another language ("pies"). */
  readonly units?: Readonly<Partial<Record<UnitSymbol, readonly string[]>>>;
  /** Words between the dimensions of a product: "4 by 8". */
  readonly times?: readonly string[];
  /** Two words before the number of items in a pack: "pack of 6". */
  readonly packs?: readonly string[];
}

/** A language with its pairs parsed. */
export interface Language extends Omit<LanguageData, "plurals" | "variants"> {
  readonly plurals?: readonly (readonly [singular: string, plural: string])[];
  /** Each character with those that replace it in another script. */
  readonly variants?: ReadonlyMap<string, readonly string[]>;
}

export function createLanguage({ plurals, variants, ...data }: LanguageData): Language {
  return {
    ...data,
    ...(plurals === undefined ? {} : { plurals: plurals.map(parsePlural) }),
    ...(variants === undefined ? {} : { variants: parseVariants(variants) }),
  };
}

function parsePlural(pair: string): readonly [singular: string, plural: string] {
  const [singular = "", plural = ""] = pair.split(">");
  return [singular, plural];
}

function parseVariants(rows: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const add = (one: string, other: string): void => {
    if (one !== other) found.set(one, [...(found.get(one) ?? []), other]);
  };
  for (const group of rows.flatMap((row) => row.split(" "))) {
    const [first = "", ...others] = group;
    for (const other of others) {
      add(first, other);
      add(other, first);
    }
  }
  return found;
}
