import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { flatten, keepTitles } from "./flat-documents.ts";
import { dataFolder } from "./store.ts";

/** Public catalogs and the demo store, with their languages. */
export const catalogues = {
  "icecat-19k": "en",
  "fashion-styles-44k": "en",
  "bestbuy-3k": "en",
  "dm-de-18k": "de",
  "products-100k": "en",
  "mercadona-es-4k": "es",
  "heissepreise-de-sl-30k": "de",
  "harbour-outfitters": "en",
} as const;
export type CatalogueName = keyof typeof catalogues;

export function isCatalogueName(name: string): name is CatalogueName {
  return Object.hasOwn(catalogues, name);
}

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Folder of files derived from the public data. */
export function workFolder(): string {
  const folder = join(tmpdir(), "vitrine-bench");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Converts a catalog to rows that `vitrine import` reads, unless it was converted before.
 * @returns path of the file
 */
export function catalogueFile(name: CatalogueName): string {
  if (name === "harbour-outfitters") return pathOf("../examples/harbour-outfitters/catalog/products.jsonl");
  const converter = pathOf(`./convert/${name}.ts`);
  return createFile(`${name}.jsonl`, [converter, pathOf("./convert/source-lines.ts")], (to) => {
    dataFolder();
    execFileSync(process.execPath, [converter, to], { stdio: ["ignore", "ignore", "inherit"] });
  });
}

/**
 * Converts a catalog to flat documents (see `flatten`).
 * @param from rows that `vitrine import` reads
 * @param translation language of the rows' translations
 * @returns path of the file
 */
export async function flatFile(from: string, translation?: string): Promise<string> {
  const sources = [from, pathOf("./flat-documents.ts"), pathOf("../src/predictive-search/documents.ts")];
  const name = basename(from).replace(/\.jsonl$/, translation === undefined ? ".tsv" : `.${translation}.tsv`);
  return createInProcess(name, sources, (to) => flatten(from, to, translation));
}

/**
 * Creates flat documents with titles only. The brand precedes a title that does not start with it.
 * @param flat flat documents
 * @returns path of the file
 */
export async function titlesFile(flat: string): Promise<string> {
  const name = basename(flat).replace(/\.tsv$/, ".titles.tsv");
  return createInProcess(name, [flat, pathOf("./flat-documents.ts")], (to) => keepTitles(flat, to));
}

/** Creates a file in the work folder unless it is newer than its sources. */
export function createFile(name: string, sources: readonly string[], make: (to: string) => void): string {
  const to = join(workFolder(), name);
  if (isFresh(to, sources)) return to;
  make(temporaryName(to));
  renameSync(temporaryName(to), to);
  return to;
}

/** Like `made`, for asynchronous functions. */
export async function createInProcess(
  name: string,
  sources: readonly string[],
  make: (to: string) => Promise<void>,
): Promise<string> {
  const to = join(workFolder(), name);
  if (isFresh(to, sources)) return to;
  await make(temporaryName(to));
  renameSync(temporaryName(to), to);
  return to;
}

/** Returns a temporary name, because two benchmarks may create the file at the same time. */
function temporaryName(file: string): string {
  return `${file}.${process.pid}.part`;
}

function isFresh(file: string, sources: readonly string[]): boolean {
  return existsSync(file) && sources.every((source) => statSync(source).mtimeMs < statSync(file).mtimeMs);
}
