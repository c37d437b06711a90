/** Symbols of units of measure. */
export type UnitSymbol =
  | ("mm" | "cm" | "m" | "km" | "micron" | "inch" | "ft" | "yd")
  | ("ml" | "cl" | "dl" | "l" | "m3" | "floz" | "pt" | "qt" | "gal")
  | ("ug" | "mg" | "g" | "kg" | "oz" | "lb")
  | ("cm2" | "m2" | "sqin" | "sqft" | "cuin" | "cuft" | "cuyd")
  | ("w" | "kw" | "hp" | "btu" | "va" | "kva" | "wh" | "kwh" | "v" | "kv" | "ma" | "a" | "mah" | "ah")
  | ("ohm" | "kohm" | "pf" | "nf" | "uf")
  | ("mb" | "gb" | "tb" | "hz" | "khz" | "mhz" | "ghz" | "mp" | "rpm")
  | ("lm" | "k" | "psi" | "bar" | "db" | "awg" | "deg" | "percent" | "h" | "pc");

/**
 * Contents of a language file. All fields except `code` are optional. Words and endings are in lower case without
 * accents, except for `fillers`.
 */
export interface LanguageData {
  /** ISO 639-1 language code. */
  readonly code: string;
  /** Articles, which have no plural forms. */
  readonly articles?: readonly string[];
  /**
   * Pairs of singular and plural endings like "el>eln". The endings -s and -es apply to every language and are not
   * listed.
   */
  readonly plurals?: readonly string[];
  /** Words that are attached to the next word, such as "the", "and" and "with" in Arabic, and their combinations. */
  readonly proclitics?: readonly string[];
  /**
   * ASCII spellings of letters with accents, and the letters without accents: "oe>o", because "ö" is typed as "oe" and
   * folded to "o".
   */
  readonly digraphs?: readonly string[];
  /** Groups of equivalent characters, separated by spaces. "电電" is a simplified character and its traditional form. */
  readonly variants?: readonly string[];
  /** Keyboard layout in three rows: the keys from q to ], from a to ', and from z to / of a US keyboard. */
  readonly keyboard?: readonly string[];
  /**
   * Letters inserted between the parts of a compound, such as the s in "Arbeitshose". Without this field, compounds are
   * not split.
   */
  readonly compoundLinks?: readonly string[];
  /**
   * Endings that the first word of a compound loses, such as the e of "Wolle" in "Wollmütze", and the er of "roter" in
   * "Rotwein".
   */
  readonly compoundDrops?: readonly string[];
  /** Whether the last word of a search names the product, and compounds are separate words: "laser printer". */
  readonly endsWithNoun?: boolean;
  /** Whether titles usually begin with the noun that names the product, before its adjectives: "lámpara LED blanca". */
  readonly startsWithNoun?: boolean;
  /**
   * Words that separate two phrases of a title, such as "with". Conjunctions are not listed: in "Rice and veal porridge",
   * "rice" does not name the product.
   */
  readonly phraseBreaks?: readonly string[];
  /** Words after which a title states the purpose of a product: "case for iPhone". */
  readonly purposes?: readonly string[];
  /**
   * Like `purposes`, `phraseBreaks`, and `fillers`, but only for titles in this language, because the words have other
   * meanings in other languages: Polish "do" is "of" in Portuguese.
   */
  readonly localPurposes?: readonly string[];
  /**
   * Words after which a title states a part or an ingredient of a product, or what it lacks: "pot with lid", "tea without
   * sugar". They are also phrase breaks.
   * A word with another meaning in a different language is not listed, such as Danish "med", which is honey in
   * Slovenian.
   */
  readonly additions?: readonly string[];
  /**
   * Words with which a search completion never starts or ends, in lower case with accents. They apply to titles of any
   * language, so a word with another meaning in a different language is not listed, such as Finnish "tai" of "tai chi".
   */
  readonly fillers?: readonly string[];
  /** Articles, prepositions and conjunctions that are not in the other lists. They do not describe a product. */
  readonly functionWords?: readonly string[];
  /** Names of each unit, of one or two words. A name must not be a common word of another language. */
  readonly units?: Readonly<Partial<Record<UnitSymbol, readonly string[]>>>;
  /** Words that separate the sides of a dimension, such as "by" in "4 by 8". */
  readonly times?: readonly string[];
  /** Two-word phrases before the number of items in a pack, such as "pack of" in "pack of 6". */
  readonly packs?: readonly string[];
  /**
   * Words before the number of a size, and their abbreviations: "size 8", "sz 8". An abbreviation with a point, such as
   * "t.", is only one if the point follows.
   */
  readonly sizes?: readonly string[];
  /** Phrases before the maximum price in a search: "under" in "lamp under 20". */
  readonly priceLimits?: readonly string[];
  /** Words that negate the next word, in searches and titles: "without sugar", "no sugar". */
  readonly negations?: readonly string[];
  /**
   * Words and endings that state in a title that a product lacks something, before or after it: "sugar free", "zero
   * sugar", "sugarfree".
   */
  readonly absences?: readonly string[];
}

/** A language file after its plural endings, digraphs and character variants were parsed. */
export interface SearchLanguage extends Omit<LanguageData, "plurals" | "digraphs" | "variants"> {
  readonly plurals?: readonly (readonly [singular: string, plural: string])[];
  readonly digraphs?: ReadonlyMap<string, string>;
  /** Equivalent characters of each character, such as 電 for 电. */
  readonly variants?: ReadonlyMap<string, readonly string[]>;
}

export function createLanguage({ plurals, digraphs, variants, ...data }: LanguageData): SearchLanguage {
  return {
    ...data,
    ...(plurals === undefined ? {} : { plurals: plurals.map(parsePair) }),
    ...(digraphs === undefined ? {} : { digraphs: new Map(digraphs.map(parsePair)) }),
    ...(variants === undefined ? {} : { variants: parseLetterVariants(variants) }),
  };
}

function parsePair(pair: string): readonly [string, string] {
  const [left = "", right = ""] = pair.split(">");
  return [left, right];
}

function parseLetterVariants(rows: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const variantsByCharacter = new Map<string, string[]>();
  const addVariant = (character: string, variant: string): void => {
    if (character !== variant)
      variantsByCharacter.set(character, [...(variantsByCharacter.get(character) ?? []), variant]);
  };
  for (const group of rows.flatMap((row) => row.split(" "))) {
    const [firstCharacter = "", ...otherCharacters] = group;
    for (const variant of otherCharacters) {
      addVariant(firstCharacter, variant);
      addVariant(variant, firstCharacter);
    }
  }
  return variantsByCharacter;
}
