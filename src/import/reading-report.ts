import { getOrCreate } from "../runtime/cache.ts";
import type { FileSummary } from "./formats/read-value.ts";
import { marketOf } from "./formats/shopify/product-columns.ts";
import { describeRowError, type RowError } from "./row-errors.ts";

/** Maximum number of different notes in the summary. */
const MAX_NOTES = 30;

/** Collects notes about files while they are read, for the summary. */
export function createImportReport() {
  const files = new Map<string, FileSummary>();
  const noteCounts = new Map<string, { readonly firstNote: RowError; count: number }>();
  return {
    onFile: (file: string, summary: FileSummary) => files.set(file, summary),
    onNote(note: RowError) {
      const key = [note.file, note.field, note.message].join("\n");
      getOrCreate(noteCounts, key, () => ({ firstNote: note, count: 0 })).count += 1;
    },
    /**
     * Returns lines about the format of each file, its ignored columns, and rows whose imported values differ from
     * their text.
     */
    lines(currency: string): readonly string[] {
      const lines = [...noteCounts.values()].slice(0, MAX_NOTES).map(({ firstNote, count }) => {
        const suffix = count === 1 ? "" : ` (and in ${count - 1} more ${count === 2 ? "place" : "places"})`;
        return `warning: ${describeRowError(firstNote)}${suffix}`;
      });
      if (noteCounts.size > lines.length) lines.push(`… and ${noteCounts.size - lines.length} more kinds of warnings.`);
      return [...[...files].flatMap(([file, summary]) => formatSummaryLines(file, summary, currency)), ...lines];
    },
  };
}

function formatSummaryLines(file: string, summary: FileSummary, currency: string): readonly string[] {
  const { format, encoding, isEncodingGuessed, separator, isCurrencyAssumed, ignoredColumns } = summary;
  const hasDefaults = separator === undefined && ignoredColumns.length === 0 && encoding === "UTF-8";
  if (hasDefaults && !isCurrencyAssumed) return [];
  const separatorText =
    separator === undefined || separator === "," ? "" : `, ${separatorNames.get(separator) ?? separator} between cells`;
  const markets = new Set(ignoredColumns.flatMap(({ name }) => marketOf(name) ?? []));
  const otherColumns = ignoredColumns.filter(({ name }) => marketOf(name) === undefined);
  const columnList = otherColumns.map(({ name, rows }) => `${name} (${rows})`).join(", ");
  return [
    `${file}: ${format}, ${encoding}${separatorText}.`,
    isEncodingGuessed &&
      `  It is not UTF-8, so its encoding was guessed: ${encoding}. If letters are wrong, specify the encoding with --encoding.`,
    isCurrencyAssumed && `  Its prices have no currency: they are imported in ${currency}, the currency of the store.`,
    columnList !== "" && `  Ignored columns, with their number of non-empty rows: ${columnList}.`,
    markets.size > 0 &&
      `  Ignored prices of markets: ${[...markets].join(", ")}. To import those of one market, use --market.`,
  ].filter((line) => line !== false);
}

const separatorNames: ReadonlyMap<string, string> = new Map([
  [";", '";"'],
  ["|", '"|"'],
  ["\t", "tabs"],
]);
