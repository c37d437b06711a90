import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readLines } from "../../src/import/formats/lines.ts";

/** Converts each line of a JSONL file in `catalogues/` to a row of a catalog file. */
export async function convertLines<Source>(
  source: string,
  convert: (source: Source, handle: (text: string) => string) => object | undefined,
): Promise<void> {
  const { from, to } = paths(source);
  const handle = createHandles();
  async function* readRows(): AsyncGenerator<object> {
    for await (const { text = "" } of readLines(from)) {
      const row = text.trim() === "" ? undefined : convert(JSON.parse(text) as Source, handle);
      if (row !== undefined) yield row;
    }
  }
  await writeRows(to, readRows());
}

/** Writes the rows of a catalog file, and prints their number. */
export async function writeRows(to: string, rows: Iterable<object> | AsyncIterable<object>): Promise<void> {
  let count = 0;
  async function* formatLines(): AsyncGenerator<string> {
    for await (const row of rows) {
      count += 1;
      yield `${JSON.stringify(row)}\n`;
    }
  }
  await pipeline(Readable.from(formatLines()), createWriteStream(to));
  process.stdout.write(`${count} products in ${to}\n`);
}

/** Returns the paths of a conversion `node bench/convert/<name>.ts <out.jsonl>`. The data folder is `VITRINE_DATA`. */
export function paths(source: string): { readonly from: string; readonly to: string } {
  const folder = process.env.VITRINE_DATA;
  const to = process.argv[2];
  if (folder === undefined || to === undefined) {
    process.stderr.write("Usage: VITRINE_DATA=<folder with catalogues/> node bench/convert/<name>.ts <out.jsonl>\n");
    process.exit(2);
  }
  return { from: `${folder}/catalogues/${source}`, to };
}

/** Maximum length of a generated handle. It is well below the limit, to leave space for a number. */
const MAX_HANDLE = 80;

/** Returns a function that creates unique handles from titles. A repeated title gets a number. */
export function createHandles(): (text: string) => string {
  const usedCounts = new Map<string, number>();
  return (text) => {
    const words = text
      .normalize("NFKD")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? ["product"];
    const baseHandle = words.join("-").slice(0, MAX_HANDLE);
    let number = usedCounts.get(baseHandle) ?? 0;
    let handle = baseHandle;
    do {
      number += 1;
      handle = number === 1 ? baseHandle : `${baseHandle}-${number}`;
    } while (number > 1 && usedCounts.has(handle));
    usedCounts.set(baseHandle, number);
    if (handle !== baseHandle) usedCounts.set(handle, 1);
    return handle;
  };
}

/** Returns a function that creates unique ids from numbers. A repeated number gets a suffix such as "-2". */
export function createIds(): (number: number) => string {
  const usedCounts = new Map<number, number>();
  return (number) => {
    const occurrences = (usedCounts.get(number) ?? 0) + 1;
    usedCounts.set(number, occurrences);
    return occurrences === 1 ? String(number) : `${number}-${occurrences}`;
  };
}
