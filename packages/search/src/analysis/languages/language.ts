import type { UnitSymbol } from "./unit-symbols.ts";

/** Data of one language; words and endings are folded, except `fillers`. Everything except the code is optional. */
export interface Language {
  /** ISO 639-1. */
  readonly code: string;
  /** Articles: they have no plural and are no plural. */
  readonly articles?: readonly string[];
  /** Endings of singular and plural, in addition to -s and -es, which are tried in every language. */
  readonly plurals?: readonly (readonly [singular: string, plural: string])[];
  /** Words that are written together with the next one: "the", "and", "with". */
  readonly proclitics?: readonly string[];
  /** Characters that are interchanged in writing: 电 and 電. */
  readonly variants?: ReadonlyMap<string, readonly string[]>;
  /** Characters of the keys from q to ], from a to ' and from z to / on a keyboard of this language. */
  readonly keyboard?: readonly [string, string, string];
  /**
   * Linking letters between the words of a compound ("Arbeitshose"); undefined if compounds are not written as one
   * word.
   */
  readonly compoundLinks?: readonly string[];
  /** Endings that a word loses inside a compound ("Wolle" in "Wollmütze"). */
  readonly compoundDrops?: readonly string[];
  /** Words that end the phrase of a title before them. */
  readonly phraseBreaks?: readonly string[];
  /** Words in a title after which the purpose follows: "case for iPhone". */
  readonly purposes?: readonly string[];
  /** Words with which no completion starts or ends: lower case, with accents. */
  readonly fillers?: readonly string[];
  /**
   * Articles, prepositions and conjunctions in addition to the lists above: alone they do not describe what is
   * searched.
   */
  readonly functionWords?: readonly string[];
  /**
   * Names of units, by symbol (see `units.ts`): one word, or two. Excludes common words of other languages ("pies").
   */
  readonly units?: Readonly<Partial<Record<UnitSymbol, readonly string[]>>>;
  /** Words between the sides of a dimension: "4 by 8". */
  readonly times?: readonly string[];
  /** Two words before the number of items in a pack: "pack of 6". */
  readonly packs?: readonly string[];
}

/** Linking letters of compounds in Germanic languages, and approximately in Finnish. */
export const germanicLinks = ["es", "en", "er", "s", "n", "e"] as const;
