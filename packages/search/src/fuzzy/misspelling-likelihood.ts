/**
 * Cost of an ordinary edit. Edits that people often make cost less, because the letters sound alike or their keys are
 * neighbors. An edit of the first letter costs more, because people rarely mistype it.
 */
const editCost = 1;
const similarLetterCost = 0.6;
const transpositionCost = 0.5;
/** Cost of a doubled letter typed once, or a single letter typed twice. */
const doubledLetterCost = 0.4;
/** Cost of one missing or additional letter: a letter that is often silent, such as "h", or the "c" of "ck". */
const silentLetterCost = 0.6;
const firstLetterCost = 0.8;

const vowels: ReadonlySet<string> = new Set("aeiouy");
const silentLetters: ReadonlySet<string> = new Set("aehiou");

/** Pairs of letters or letter groups with a similar sound. */
const similarSoundPairs: ReadonlySet<string> = new Set([
  "ck",
  "cs",
  "sz",
  "fv",
  "gj",
  "bp",
  "dt",
  "mn",
  "kq",
  "vw",
  "iy",
  "gk",
  "kx",
  "sx",
  "lr",
]);

const keyboardRows: readonly string[] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** Pairs of letters with neighboring keys on a QWERTY keyboard, in alphabetical order. */
const neighborKeyPairs: ReadonlySet<string> = new Set(
  keyboardRows.flatMap((row, rowIndex) =>
    [...row].flatMap((letter, column) => {
      const nextRow = keyboardRows[rowIndex + 1] ?? "";
      return [row[column + 1], nextRow[column], nextRow[column - 1]].flatMap((neighbor) =>
        neighbor === undefined ? [] : joinLetterPair(letter, neighbor),
      );
    }),
  ),
);

/**
 * Returns whether a word is probably a misspelling of a term, and not another word. The cost of an edit depends on its
 * probable cause: "batery" is a likely misspelling of "battery", but "wrench" is not one of "french".
 * @param word word as typed, but without case and accents
 * @param term term without case and accents; the term or one of its prefixes is within two edits of the word
 * @param form the word or another of its forms, which may be what was misspelled
 */
export function isLikelyMisspelling(word: string, term: string, form = word): boolean {
  return computeMisspellingCost(form, term) <= computeMaxLikelyCost(word.length);
}

/**
 * Returns the maximum total cost of a likely misspelling, by the length of the word. Short words resemble many others.
 */
function computeMaxLikelyCost(length: number): number {
  if (length <= 4) return transpositionCost;
  if (length <= 5) return silentLetterCost;
  return length < 8 ? editCost : 1.5 * editCost;
}

/** Returns the cost of the cheapest edits that turn a word into a term, or into a prefix of the term. */
export function computeMisspellingCost(word: string, term: string): number {
  let secondLastRow: number[] = [];
  let previousRow = [0];
  for (let column = 1; column <= term.length; column += 1)
    previousRow.push((previousRow[column - 1] as number) + computeLetterCost(term, column - 1, word[0]));
  let bestCost = Number.POSITIVE_INFINITY;
  for (let row = 1; row <= word.length; row += 1) {
    const currentRow = [(previousRow[0] as number) + computeLetterCost(word, row - 1, term[0])];
    for (let column = 1; column <= term.length; column += 1) {
      const [letter, termLetter] = [word[row - 1] as string, term[column - 1] as string];
      let cost =
        (previousRow[column - 1] as number) + computeReplacementCost(letter, termLetter, row === 1 && column === 1);
      cost = Math.min(cost, (previousRow[column] as number) + computeLetterCost(word, row - 1, term[column - 1]));
      cost = Math.min(cost, (currentRow[column - 1] as number) + computeLetterCost(term, column - 1, word[row - 1]));
      if (row > 1 && column > 1 && letter === term[column - 2] && word[row - 2] === termLetter)
        cost = Math.min(
          cost,
          (secondLastRow[column - 2] as number) + transpositionCost + (row === 2 && column === 2 ? firstLetterCost : 0),
        );
      currentRow.push(cost);
    }
    secondLastRow = previousRow;
    previousRow = currentRow;
  }
  for (const cost of previousRow) bestCost = Math.min(bestCost, cost);
  return bestCost;
}

function computeReplacementCost(letter: string, otherLetter: string, isFirstLetter: boolean): number {
  if (letter === otherLetter) return 0;
  const letterPair = joinLetterPair(letter, otherLetter);
  const isSimilar =
    (vowels.has(letter) && vowels.has(otherLetter)) ||
    similarSoundPairs.has(letterPair) ||
    neighborKeyPairs.has(letterPair);
  return (
    (isSimilar ? similarLetterCost : editCost) +
    (isFirstLetter && !similarSoundPairs.has(letterPair) ? firstLetterCost : 0)
  );
}

/**
 * Returns the cost of a letter that only one of two texts has.
 * @param otherLetter letter of the other text at this position
 */
function computeLetterCost(text: string, position: number, otherLetter: string | undefined): number {
  const letter = text[position] as string;
  if (position === 0) return editCost + firstLetterCost;
  if (letter === text[position - 1] || letter === text[position + 1]) return doubledLetterCost;
  // Letters that people omit because they do not hear them: the "c" of "snickers" and the "h" of "photograph".
  const isRepeatedSound = letter === "c" && text[position + 1] === "k" && otherLetter === "k";
  return isRepeatedSound || silentLetters.has(letter) ? silentLetterCost : editCost;
}

function joinLetterPair(letter: string, otherLetter: string): string {
  return letter < otherLetter ? letter + otherLetter : otherLetter + letter;
}
