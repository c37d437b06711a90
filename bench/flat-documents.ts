import { closeSync, createWriteStream, openSync, readSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { SearchDocument } from "@vitrine/search";
import { parseRow } from "../src/catalog/rows/parse-row.ts";
import { readLines } from "../src/import/formats/lines.ts";
import { fieldNumbers, listDocuments } from "../src/predictive-search/documents.ts";

/** A product in one line of text, with the fields that the shop would index. All engines read it. */
export interface FlatDocument {
  /** Line number, from 0. */
  readonly number: number;
  /** Id of the product. */
  readonly key: string;
  readonly available: boolean;
  /** Popularity from 0 to 1. */
  readonly popularity: number;
  /** Values by field number. A field may have several values. */
  readonly values: readonly (readonly string[])[];
}

/** Separator of the values of one field. No text contains it. */
const valueSeparator = "\u001f";
const columnCount = Math.max(...fieldNumbers.values()) + 1;
const titleField = fieldNumbers.get("title") ?? 0;
const vendorField = fieldNumbers.get("vendor") ?? 0;

/**
 * Writes the products of a catalog file as flat documents. A line has the key, 1 or 0 for stock, the popularity, and
 * one column per field number, separated by tabs.
 * @param translation language whose translations are used if they exist
 * @throws Error if a row is not a product
 */
export async function flatten(catalogueFile: string, to: string, translation?: string): Promise<void> {
  const locales = { default: "en", others: translation === undefined ? [] : [translation] };
  async function* lines(): AsyncGenerator<string> {
    for await (const { line, text = "" } of readLines(catalogueFile)) {
      const row = parseRow(JSON.parse(text), "product", (field, message) => {
        throw new Error(`${catalogueFile}:${line}: ${field} ${message}`);
      });
      if (row?.kind !== "product") throw new Error(`${catalogueFile}:${line} is no product`);
      const document = listDocuments(row, line - 1, locales).at(-1);
      if (document !== undefined)
        yield `${[row.id, document.available ? "1" : "0", document.popularity, ...cells(document)].join("\t")}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(to));
}

/**
 * Writes flat documents with titles only, all in stock and equally popular. The vendor precedes a title that does not
 * start with it, as in shops that put everything in titles.
 */
export async function keepTitles(flat: string, to: string): Promise<void> {
  function* lines(): Generator<string> {
    for (const { key, values } of readFlat(flat)) {
      const name = values[titleField]?.[0] ?? "";
      const brand = values[vendorField]?.[0] ?? "";
      const startsWithBrand = name.toLowerCase().startsWith(brand.toLowerCase());
      const row = Array.from({ length: columnCount }, (_, index) =>
        index !== titleField ? "" : startsWithBrand ? name : `${brand} ${name}`,
      );
      yield `${[key, "1", "0", ...row].join("\t")}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(to));
}

function cells({ fields: texts }: SearchDocument): string[] {
  const values = Array.from({ length: columnCount }, (): string[] => []);
  for (const [field, text] of texts) values[field]?.push(text.replace(/[\t\r\n\u001f]/g, " "));
  return values.map((list) => list.join(valueSeparator));
}

/** Reads flat documents synchronously line by line, so that reading affects the measured time as little as possible. */
export function* readFlat(file: string): Generator<FlatDocument, void> {
  const descriptor = openSync(file, "r");
  try {
    let bytes = Buffer.allocUnsafe(readLength * 2);
    let number = 0;
    let incompleteBytes = 0;
    for (;;) {
      if (bytes.length < incompleteBytes + readLength) bytes = Buffer.concat([bytes], bytes.length * 2);
      const length = readSync(descriptor, bytes, incompleteBytes, readLength, null);
      const end = incompleteBytes + length;
      let start = 0;
      for (
        let index = bytes.indexOf(newline, incompleteBytes);
        index >= 0 && index < end;
        index = bytes.indexOf(newline, start)
      ) {
        yield parseFlat(bytes.toString("utf8", start, index), number);
        number += 1;
        start = index + 1;
      }
      if (length === 0) break;
      bytes.copyWithin(0, start, end);
      incompleteBytes = end - start;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Number of bytes per read. */
const readLength = 256 * 1_024;
const newline = 0x0a;

function parseFlat(line: string, number: number): FlatDocument {
  const afterKey = line.indexOf("\t");
  const afterStock = line.indexOf("\t", afterKey + 1);
  const afterPopularity = line.indexOf("\t", afterStock + 1);
  const hasSeveral = line.includes(valueSeparator);
  const values: (readonly string[])[] = [];
  for (let from = afterPopularity + 1; from > 0; ) {
    const tab = line.indexOf("\t", from);
    const to = tab < 0 ? line.length : tab;
    const cell = line.slice(from, to);
    values.push(from === to ? emptyList : hasSeveral ? cell.split(valueSeparator) : [cell]);
    from = tab + 1;
  }
  return {
    number,
    key: line.slice(0, afterKey),
    available: line.slice(afterKey + 1, afterStock) === "1",
    popularity: Number(line.slice(afterStock + 1, afterPopularity)),
    values,
  };
}

const emptyList: readonly string[] = [];

export function titleOf({ values }: FlatDocument): string {
  return values[titleField]?.[0] ?? "";
}

/** Returns titles and ids by document number, to evaluate results. */
export function readTitles(file: string): { readonly titles: string[]; readonly keys: string[] } {
  const titles: string[] = [];
  const keys: string[] = [];
  for (const document of readFlat(file)) {
    keys.push(document.key);
    titles.push(titleOf(document));
  }
  return { titles, keys };
}
