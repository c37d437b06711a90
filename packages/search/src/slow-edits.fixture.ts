interface PrefixDistance {
  readonly edits: number;
  /** Whether the entire term has this edit distance, and not only a prefix of the term. */
  readonly isFullTerm: boolean;
}

/** Returns the minimum number of edits between a word and any prefix of a term before its first digit. */
export function findNearestPrefix(term: string, word: string): PrefixDistance {
  let secondLastRow: number[] = [];
  let row = Array.from({ length: word.length + 1 }, (_, column) => column);
  let minEdits = word.length;
  const letters = term.replace(/[0-9].*/, "");
  for (let depth = 1; depth <= letters.length; depth += 1) {
    const nextRow = [depth];
    for (let column = 1; column <= word.length; column += 1) {
      const cost = letters[depth - 1] === word[column - 1] ? 0 : 1;
      const isTransposition =
        depth > 1 && column > 1 && letters[depth - 1] === word[column - 2] && letters[depth - 2] === word[column - 1];
      nextRow[column] = Math.min(
        (row[column] ?? 0) + 1,
        (nextRow[column - 1] ?? 0) + 1,
        (row[column - 1] ?? 0) + cost,
        isTransposition ? (secondLastRow[column - 2] ?? 0) + 1 : 99,
      );
    }
    secondLastRow = row;
    row = nextRow;
    minEdits = Math.min(minEdits, row[word.length] ?? 99);
  }
  return { edits: minEdits, isFullTerm: letters === term && row[word.length] === minEdits };
}
