import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readLines } from "../src/import/formats/lines.ts";
import { bigCatalogue } from "./catalog-1m.ts";
import { catalogueFile, createInProcess, flatFile } from "./catalogs.ts";

/** Catalogs by number of products. 10k is every tenth product of products-100k. catalog-1m.ts creates 1m and 10m. */
export const sizes = { "10k": 10_000, "100k": 100_000, "1m": 1_000_000, "10m": 10_000_000 } as const;
export type Size = keyof typeof sizes;

/** Parses comma-separated sizes.  @throws Error for an unknown size */
export function sizesOf(list: string): Size[] {
  return list.split(",").map((size) => {
    if (!isSize(size)) throw new Error(`no size ${size}: ${Object.keys(sizes).join(", ")}`);
    return size;
  });
}

function isSize(name: string): name is Size {
  return Object.hasOwn(sizes, name);
}

/** Creates the catalog of a size.  @returns path of the file, with rows that `vitrine import` reads */
export async function catalogOf(size: Size): Promise<string> {
  if (size === "1m" || size === "10m") return bigCatalogue(sizes[size]);
  const catalog = catalogueFile("products-100k");
  if (size === "100k") return catalog;
  return createInProcess("products-10k.jsonl", [catalog], async (path) => {
    const output = createWriteStream(path);
    for await (const { line, text = "" } of readLines(catalog)) if (line % 10 === 0) output.write(`${text}\n`);
    output.end();
    await once(output, "finish");
  });
}

/** Creates the flat documents of the catalog of a size.  @returns path of the file */
export async function documentsOf(size: Size): Promise<string> {
  return flatFile(await catalogOf(size));
}
