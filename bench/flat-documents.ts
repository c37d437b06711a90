import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readLines } from "../src/catalog/lines.ts";
import { parseRow } from "../src/catalog/parse-row.ts";
import { fieldNumbers, searchDocuments } from "../src/predictive-search/documents.ts";
import type { SearchDocument } from "../src/search/search-index.ts";

/** A product as every engine reads it: what the shop would index of it, in one line of text. */
export interface FlatDocument {
  /** From 0, the number of its line. */
  readonly number: number;
  /** The product's id. */
  readonly key: string;
  readonly available: boolean;
  /** 0 to 1. */
  readonly popularity: number;
  /** By field number; a field may have several values. */
  readonly values: readonly (readonly string[])[];
}

/** Between the values of one field; no text holds it. */
const between = "\u001f";
const columns = Math.max(...fieldNumbers.values()) + 1;
const title = fieldNumbers.get("title") ?? 0;

/** Writes the products of a catalogue file as flat documents: key, 1 or 0 for stock, popularity, then one column a field in
 *  the order of their numbers, between tabs.
 *  @throws Error where a row is no product */
export async function flatten(catalogueFile: string, to: string): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    for await (const { line, text = "" } of readLines(catalogueFile)) {
      const row = parseRow(JSON.parse(text), undefined, (field, message) => {
        throw new Error(`${catalogueFile}:${line}: ${field} ${message}`);
      });
      if (row?.kind !== "product") throw new Error(`${catalogueFile}:${line} is no product`);
      for (const document of searchDocuments(row, line - 1, { default: "en", others: [] }))
        yield `${[row.id, document.available ? "1" : "0", document.popularity, ...cells(document)].join("\t")}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(to));
}

function cells({ fields: texts }: SearchDocument): string[] {
  const values = Array.from({ length: columns }, (): string[] => []);
  for (const [field, text] of texts) values[field]?.push(text.replace(/[\t\r\n\u001f]/g, " "));
  return values.map((list) => list.join(between));
}

export async function* readFlat(file: string): AsyncGenerator<FlatDocument> {
  for await (const { line, text = "" } of readLines(file)) {
    const [key = "", available, popularity, ...texts] = text.split("\t");
    yield {
      number: line - 1,
      key,
      available: available === "1",
      popularity: Number(popularity),
      values: texts.map((cell) => (cell === "" ? [] : cell.split(between))),
    };
  }
}

/** Titles and ids by document number: what judging an answer needs. */
export async function readTitles(file: string): Promise<{ readonly titles: string[]; readonly keys: string[] }> {
  const titles: string[] = [];
  const keys: string[] = [];
  for await (const { key, values } of readFlat(file)) {
    keys.push(key);
    titles.push(values[title]?.[0] ?? "");
  }
  return { titles, keys };
}
