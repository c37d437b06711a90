import type { UnitSymbol } from "./unit-symbols.ts";

/** What the search knows of one language; all words and endings folded but `fillers`. Everything but the code may be left out. */
export interface Language {
  /** ISO 639-1. */
  readonly code: string;
  /** Articles: they have no plural and are no plural. */
  readonly articles?: readonly string[];
  /** Endings of the singular and of the plural, beside the -s and -es that are tried in every language. */
  readonly plurals?: readonly (readonly [singular: string, plural: string])[];
  /** Words that are written together with the next one: "the", "and", "with". */
  readonly proclitics?: readonly string[];
  /** Characters that are written for one another: 电 and 電. */
  readonly variants?: ReadonlyMap<string, readonly string[]>;
  /** What the keys from q to ], from a to ' and from z to / type where the keyboard is set to this language. */
  readonly keyboard?: readonly [string, string, string];
  /** Letters between the words of a compound that is written as one word ("Arbeitshose"); absent: compounds are not. */
  readonly compoundLinks?: readonly string[];
  /** Endings that a word loses before the next one of a compound ("Wolle" in "Wollmütze"). */
  readonly compoundDrops?: readonly string[];
  /** Words that end the phrase of a title before them: what follows is said beside it. */
  readonly phraseBreaks?: readonly string[];
  /** Words behind which a title says what a thing is for, not what it is: "case for iPhone". */
  readonly purposes?: readonly string[];
  /** Words with which no completion begins or ends: lower case, with accents. */
  readonly fillers?: readonly string[];
  /** Articles, prepositions and conjunctions beside those of the lists above: alone they tell nothing of what is sought. */
  readonly functionWords?: readonly string[];
  /** Names of units, by their symbol (see `units.ts`): one word, or two. None that is a common word of another language ("pies"). */
  readonly units?: Readonly<Partial<Record<UnitSymbol, readonly string[]>>>;
  /** Words between the sides of a dimension: "4 by 8". */
  readonly times?: readonly string[];
  /** Two words before the number of what a pack holds: "pack of 6". */
  readonly packs?: readonly string[];
}

/** Letters between the words of a compound in Germanic languages, and near enough in Finnish. */
export const germanicLinks = ["es", "en", "er", "s", "n", "e"] as const;
