/** Symbols of the known units (see the table in `analysis/units.ts`). */
export type UnitSymbol =
  | ("mm" | "cm" | "m" | "km" | "inch" | "ft" | "yd")
  | ("ml" | "cl" | "dl" | "l" | "m3" | "floz" | "pt" | "qt" | "gal")
  | ("mg" | "g" | "kg" | "oz" | "lb")
  | ("cm2" | "m2" | "sqin" | "sqft" | "cuin" | "cuft" | "cuyd")
  | ("w" | "kw" | "hp" | "btu" | "va" | "kva" | "wh" | "kwh" | "v" | "kv" | "ma" | "a" | "mah" | "ah" | "ohm")
  | ("mb" | "gb" | "tb" | "hz" | "khz" | "mhz" | "ghz" | "mp" | "rpm")
  | ("lm" | "k" | "psi" | "bar" | "db" | "awg" | "deg" | "percent" | "h" | "pc");

/**
 * Contents of a language file. All fields except `code` are optional. Words and endings are folded, except `fillers`.
 */
export interface LanguageData {
  /** Language code of ISO 639-1. */
  readonly code: string;
  /** Articles, which have no plural forms. */
  readonly articles?: readonly string[];
  /** Pairs of singular and plural endings like "el>eln", in addition to -s and -es, which apply to every language. */
  readonly plurals?: readonly string[];
  /** Prefixes that are written together with the next word ("the", "and", "with"), and their combinations. */
  readonly proclitics?: readonly string[];
  /**
   * Groups of characters separated by spaces. "电電" means that the first character is replaced by the others in another
   * script.
   */
  readonly variants?: readonly string[];
  /**
   * Three rows of the characters on the keys from q to ], from a to ', and from z to / on the keyboard of the language.
   */
  readonly keyboard?: readonly string[];
  /** Letters between the parts of a compound ("Arbeitshose"). Without this field, compounds are not split. */
  readonly compoundLinks?: readonly string[];
  /** Endings that a word loses before the next part of a compound ("Wolle" in "Wollmütze"). */
  readonly compoundDrops?: readonly string[];
  /** Words that end a phrase of a title. */
  readonly phraseBreaks?: readonly string[];
  /** Words after which a title states the purpose of a product: "case for iPhone". */
  readonly purposes?: readonly string[];
  /** Words that never start or end a completion, in lower case with accents. */
  readonly fillers?: readonly string[];
  /** Further articles, prepositions and conjunctions. A query of only these words has no meaning. */
  readonly functionWords?: readonly string[];
  /** Names of units, of one or two words. They must not be common words of another language ("pies"). */
  readonly units?: Readonly<Partial<Record<UnitSymbol, readonly string[]>>>;
  /** Words between the sides of a dimension: "4 by 8". */
  readonly times?: readonly string[];
  /** Phrases of two words before the number of items in a pack: "pack of 6". */
  readonly packs?: readonly string[];
}

/** A language with parsed pairs of endings and characters. */
export interface SearchLanguage extends Omit<LanguageData, "plurals" | "variants"> {
  readonly plurals?: readonly (readonly [singular: string, plural: string])[];
  /** Characters that replace each character in another script. */
  readonly variants?: ReadonlyMap<string, readonly string[]>;
}

export function createLanguage({ plurals, variants, ...data }: LanguageData): SearchLanguage {
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
  const variantsByCharacter = new Map<string, string[]>();
  const add = (character: string, variant: string): void => {
    if (character !== variant)
      variantsByCharacter.set(character, [...(variantsByCharacter.get(character) ?? []), variant]);
  };
  for (const group of rows.flatMap((row) => row.split(" "))) {
    const [firstCharacter = "", ...otherCharacters] = group;
    for (const variant of otherCharacters) {
      add(firstCharacter, variant);
      add(variant, firstCharacter);
    }
  }
  return variantsByCharacter;
}
