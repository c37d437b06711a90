import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { packDictionary, prefixRange } from "../terms/dictionary.ts";
import { allowedEdits, LevenshteinAutomaton } from "./levenshtein-automaton.ts";

const automaton = new LevenshteinAutomaton();

/** Returns the edit distance by definition: insert, delete, replace, or swap two neighbors. */
function edits(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const at = (row: number, column: number) => table[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row += 1)
    for (let column = 1; column <= other.length; column += 1) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1;
      let least = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + cost);
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, at(row - 2, column - 2) + 1);
      (table[row] as number[])[column] = least;
    }
  return at(one.length, other.length);
}

function editsOfNearestBeginning(term: string, word: string): number {
  return Math.min(...Array.from({ length: term.length + 1 }, (_, length) => edits(term.slice(0, length), word)));
}

test("finds what the edit table finds", () => {
  const term = fc.string({ unit: fc.constantFrom("a", "b", "c", "7"), minLength: 1, maxLength: 10 });
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.uniqueArray(term, { maxLength: 300 }), word, fc.constantFrom(1, 2), (terms, typed, most) => {
      const sorted = terms.sort();
      const expected = sorted.flatMap((text) => {
        const found = editsOfNearestBeginning(text.replace(/7.*/, ""), typed);
        const isWhole = !text.includes("7") && edits(text, typed) === found;
        return found >= 1 && found <= most ? [`${text} ${found} ${isWhole}`] : [];
      });
      const found = automaton
        .fuzzyRuns(packDictionary(sorted), typed, most)
        .flatMap((run) => sorted.slice(run.low, run.high).map((text) => `${text} ${run.edits} ${run.isFullTerm}`));
      assert.deepEqual(found, expected);
    }),
    { numRuns: 500 },
  );
});

test("finds long words among others of other letters, digits and lengths", () => {
  // Two of the letters share a bit in the masks of nodes.
  const letter = fc.constantFrom(..."abcdefghi\u0101");
  const change = fc.record({
    at: fc.nat({ max: 11 }),
    removed: fc.nat({ max: 2 }),
    added: fc.string({ unit: letter, maxLength: 2 }),
  });
  const asked = fc.record({
    word: fc.string({ unit: letter, minLength: 6, maxLength: 12 }),
    changes: fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 40 }),
    others: fc.array(fc.string({ unit: fc.constantFrom(..."abcdefghi\u010179"), minLength: 1, maxLength: 12 })),
    most: fc.constantFrom(1, 2),
  });
  fc.assert(
    fc.property(asked, ({ word, changes, others, most }) => {
      const near = changes.map((ofOne) => ofOne.reduce(changed, word)).filter((text) => text !== "");
      const sorted = [...new Set([...near, ...others, ...near.map((text) => `${text}ih`)])].sort();
      const expected = sorted.flatMap((text) => {
        const found = editsOfNearestBeginning(text.replace(/[79].*/, ""), word);
        return found >= 1 && found <= most ? [`${text} ${found}`] : [];
      });
      const found = automaton
        .fuzzyRuns(packDictionary(sorted), word, most)
        .flatMap((run) => sorted.slice(run.low, run.high).map((text) => `${text} ${run.edits}`));
      assert.deepEqual(found, expected);
    }),
    { numRuns: 1_000 },
  );
});

function changed(word: string, { at, removed, added }: { at: number; removed: number; added: string }): string {
  return word.slice(0, at) + added + word.slice(at + removed);
}

test("what is near a word was near it, or began with it, one letter ago", () => {
  const term = fc.string({ unit: fc.constantFrom("a", "b", "c", "7"), minLength: 1, maxLength: 10 });
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 9 });
  fc.assert(
    fc.property(fc.uniqueArray(term, { maxLength: 300 }), word, fc.constantFrom(1, 2), (terms, typed, most) => {
      const dictionary = packDictionary(terms.sort());
      const before = typed.slice(0, -1);
      const runs = [...automaton.fuzzyRuns(dictionary, before, most), prefixRange(dictionary, before)]
        .filter(({ low, high }) => low < high)
        .sort((one, other) => one.low - other.low);
      const among = {
        lows: Uint32Array.from(runs, ({ low }) => low),
        highs: Uint32Array.from(runs, ({ high }) => high),
      };
      const found = automaton.fuzzyRuns(dictionary, typed, most, among);
      assert.deepEqual(found, automaton.fuzzyRuns(dictionary, typed, most));
    }),
    { numRuns: 500 },
  );
});

test("one edit from four letters, two from eight, none with digits", () => {
  const words = ["sno", "snow", "snowboa", "snowboar", "nor070760", "s".repeat(29)];
  assert.deepEqual(words.map(allowedEdits), [0, 1, 1, 2, 0, 0]);
});
