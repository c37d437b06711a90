import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findPrefix, packDictionary } from "../terms/dictionary.ts";
import { countAllowedEdits } from "./allowed-edits.ts";
import { LevenshteinAutomaton } from "./levenshtein-automaton.ts";

const automaton = new LevenshteinAutomaton();

/**
 * Computes the edit distance by its definition: an edit inserts, deletes or replaces a letter, or swaps two neighbors.
 */
function editDistance(first: string, second: string): number {
  const table = Array.from({ length: first.length + 1 }, (_, row) =>
    Array.from({ length: second.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const distanceAt = (row: number, column: number) => table[row]?.[column] ?? 0;
  for (let row = 1; row <= first.length; row += 1)
    for (let column = 1; column <= second.length; column += 1) {
      const cost = first[row - 1] === second[column - 1] ? 0 : 1;
      let minEdits = Math.min(
        distanceAt(row - 1, column) + 1,
        distanceAt(row, column - 1) + 1,
        distanceAt(row - 1, column - 1) + cost,
      );
      if (row > 1 && column > 1 && first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1])
        minEdits = Math.min(minEdits, distanceAt(row - 2, column - 2) + 1);
      (table[row] as number[])[column] = minEdits;
    }
  return distanceAt(first.length, second.length);
}

function minPrefixDistance(term: string, word: string): number {
  return Math.min(...Array.from({ length: term.length + 1 }, (_, length) => editDistance(term.slice(0, length), word)));
}

test("the automaton finds the terms that the edit table finds", () => {
  const term = fc.string({ unit: fc.constantFrom("a", "b", "c", "7"), minLength: 1, maxLength: 10 });
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.uniqueArray(term, { maxLength: 300 }), word, fc.constantFrom(1, 2), (terms, typedWord, maxEdits) => {
      const sortedTerms = terms.sort();
      const expectedMatches = sortedTerms.flatMap((text) => {
        const distance = minPrefixDistance(text.replace(/7.*/, ""), typedWord);
        const isFullTerm = !text.includes("7") && editDistance(text, typedWord) === distance;
        return distance >= 1 && distance <= maxEdits ? [`${text} ${distance} ${isFullTerm}`] : [];
      });
      const actualMatches = automaton
        .findFuzzyRanges(packDictionary(sortedTerms), typedWord, maxEdits)
        .flatMap((run) => sortedTerms.slice(run.low, run.high).map((text) => `${text} ${run.edits} ${run.isFullTerm}`));
      assert.deepEqual(actualMatches, expectedMatches);
    }),
    { numRuns: 500 },
  );
});

test("long words are found among others with different letters, digits and lengths", () => {
  // Two of these letters have the same bit in the letter masks of the trie.
  const letter = fc.constantFrom(..."abcdefghi\u0101");
  const changeArbitrary = fc.record({
    position: fc.nat({ max: 11 }),
    removedCount: fc.nat({ max: 2 }),
    insertedText: fc.string({ unit: letter, maxLength: 2 }),
  });
  const searchCases = fc.record({
    word: fc.string({ unit: letter, minLength: 6, maxLength: 12 }),
    changes: fc.array(fc.array(changeArbitrary, { minLength: 1, maxLength: 3 }), { maxLength: 40 }),
    otherWords: fc.array(fc.string({ unit: fc.constantFrom(..."abcdefghi\u010179"), minLength: 1, maxLength: 12 })),
    maxEdits: fc.constantFrom(1, 2),
  });
  fc.assert(
    fc.property(searchCases, ({ word, changes, otherWords, maxEdits }) => {
      const similarWords = changes
        .map((wordChanges) => wordChanges.reduce(applyChange, word))
        .filter((text) => text !== "");
      const sortedTerms = [
        ...new Set([...similarWords, ...otherWords, ...similarWords.map((text) => `${text}ih`)]),
      ].sort();
      const expectedMatches = sortedTerms.flatMap((text) => {
        const distance = minPrefixDistance(text.replace(/[79].*/, ""), word);
        return distance >= 1 && distance <= maxEdits ? [`${text} ${distance}`] : [];
      });
      const actualMatches = automaton
        .findFuzzyRanges(packDictionary(sortedTerms), word, maxEdits)
        .flatMap((run) => sortedTerms.slice(run.low, run.high).map((text) => `${text} ${run.edits}`));
      assert.deepEqual(actualMatches, expectedMatches);
    }),
    { numRuns: 1_000 },
  );
});

function applyChange(
  word: string,
  { position, removedCount, insertedText }: { position: number; removedCount: number; insertedText: string },
): string {
  return word.slice(0, position) + insertedText + word.slice(position + removedCount);
}

test("the matches of a word are among the matches and the prefix range of the word without its last letter", () => {
  const term = fc.string({ unit: fc.constantFrom("a", "b", "c", "7"), minLength: 1, maxLength: 10 });
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 9 });
  fc.assert(
    fc.property(fc.uniqueArray(term, { maxLength: 300 }), word, fc.constantFrom(1, 2), (terms, typedWord, maxEdits) => {
      const dictionary = packDictionary(terms.sort());
      const shorterWord = typedWord.slice(0, -1);
      const runs = [
        ...automaton.findFuzzyRanges(dictionary, shorterWord, maxEdits),
        findPrefix(dictionary, shorterWord),
      ]
        .filter(({ low, high }) => low < high)
        .sort((a, b) => a.low - b.low);
      const candidateRanges = {
        lows: Uint32Array.from(runs, ({ low }) => low),
        highs: Uint32Array.from(runs, ({ high }) => high),
      };
      const actualMatches = automaton.findFuzzyRanges(dictionary, typedWord, maxEdits, candidateRanges);
      assert.deepEqual(actualMatches, automaton.findFuzzyRanges(dictionary, typedWord, maxEdits));
    }),
    { numRuns: 500 },
  );
});

test("words allow one edit from four letters on, two from eight, and none with digits", () => {
  const words = ["sno", "snow", "snowboa", "snowboar", "nor070760", "s".repeat(29)];
  assert.deepEqual(words.map(countAllowedEdits), [0, 1, 1, 2, 0, 0]);
});
