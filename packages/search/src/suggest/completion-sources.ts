import type { LevenshteinAutomaton } from "../fuzzy/levenshtein-automaton.ts";
import type { SpellingCorrector } from "./corrections.ts";
import type { PhraseSet } from "./phrase-set.ts";
import type { TypedText } from "./phrases.ts";
import type { TextSample } from "./text-sample.ts";

/** Data and lookups from which completions are derived. */
export interface CompletionSources {
  readonly automaton: LevenshteinAutomaton;
  /** Popular queries, which rank first. */
  readonly popularPhrases: PhraseSet;
  /** Phrases of the documents. */
  readonly catalogPhrases: readonly PhraseSet[];
  readonly spellingCorrector: SpellingCorrector;
  /**
   * Searches for documents that contain all words of a text exactly, with the last word as a prefix. Returns a sample.
   */
  readonly sample: (text: TypedText) => TextSample;
  /** Searches for documents that contain all words of a text, including words in body fields. Returns a sample. */
  readonly sampleWithBodies: (text: TypedText) => TextSample;
  /**
   * Runs a search and returns whether a text has exact results. The last word is a prefix unless `isFullWord` is set.
   */
  readonly hasMatch: (text: string, isFullWord: boolean) => boolean;
  /** Returns whether earlier searches showed that a text has no exact results. Runs no search. */
  readonly isKnownWithoutMatch: (text: string) => boolean;
  /** Returns whether a search for a phrase may hide a document that contains all words of the phrase. */
  readonly mayBeHidden: (text: string, key: string) => boolean;
  /** Returns whether any document contains a word, or with `isPrefix` a word that starts with the text. */
  readonly isWord: (word: string, isPrefix: boolean) => boolean;
  /** Returns whether two words are the singular and plural of one word. */
  readonly areInflections: (word: string, otherWord: string) => boolean;
}
