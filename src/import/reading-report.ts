import type { FileReading } from "./formats/read-value.ts";
import { describeRowError, type RowError } from "./row-errors.ts";

/** Maximum number of different notes in the summary. */
const MAX_NOTES = 30;

/** Collects notes about files while they are read, for the summary. */
export function createReadingReport() {
  const files = new Map<string, FileReading>();
  const notes = new Map<string, { readonly first: RowError; count: number }>();
  return {
    onFile: (file: string, reading: FileReading) => files.set(file, reading),
    onNote(note: RowError) {
      const key = [note.file, note.field, note.message].join("\n");
      const known = notes.get(key);
      if (known === undefined) notes.set(key, { first: note, count: 1 });
      else known.count += 1;
    },
    /**
     * Returns lines about the format of each file, its ignored columns, and rows that were interpreted differently from
     * their text.
     */
    lines(currency: string): readonly string[] {
      const lines = [...notes.values()].slice(0, MAX_NOTES).map(({ first, count }) => {
        const more = count === 1 ? "" : ` (and in ${count - 1} more ${count === 2 ? "place" : "places"})`;
        return `warning: ${describeRowError(first)}${more}`;
      });
      if (notes.size > lines.length) lines.push(`… and ${notes.size - lines.length} more kinds of warnings.`);
      return [...[...files].flatMap(([file, reading]) => readingLines(file, reading, currency)), ...lines];
    },
  };
}

function readingLines(file: string, reading: FileReading, currency: string): readonly string[] {
  const { format, encoding, isEncodingGuessed, separator, isCurrencyAssumed, ignored } = reading;
  const isPlain = separator === undefined && ignored.length === 0 && encoding === "UTF-8";
  if (isPlain && !isCurrencyAssumed) return [];
  const between =
    separator === undefined || separator === "," ? "" : `, ${separatorNames.get(separator) ?? separator} between cells`;
  const money = isCurrencyAssumed
    ? [`  It names no currency: its prices are taken as ${currency}, as the store's settings say.`]
    : [];
  const columns = ignored.map(({ name, rows }) => `${name} (${rows})`).join(", ");
  const unread = columns === "" ? [] : [`  Not taken, with how many rows hold something there: ${columns}.`];
  const letters = isEncodingGuessed
    ? [`  It is no UTF-8, and its letters read well as ${encoding}: where they do not, name theirs with --encoding.`]
    : [];
  const markets = ignored.some(({ name }) => /^price \//i.test(name))
    ? ["  One market's prices are taken instead of the shop's own with --market."]
    : [];
  return [`${file}: ${format}, ${encoding}${between}.`, ...letters, ...money, ...unread, ...markets];
}

const separatorNames: ReadonlyMap<string, string> = new Map([
  [";", '";"'],
  ["|", '"|"'],
  ["\t", "tabs"],
]);
