// Generates a catalog of any size from public ones. Each product is a random real product with a title varied by words
// of other products.
//   VITRINE_DATA=… node bench/catalog-1m.ts <number of products> <out.jsonl>
//
// - All real titles are about equally frequent, so words have the frequencies of real shops: a few occur in very many titles, most in few.
// - One in three products keeps its brand. The others get a random one, where the n-th brand of the source catalog is 1/n as frequent as the first.
// - Two in three titles end with an attribute of another product of the same source (a color, a size, a kind).
// - Two in five titles end with a unique model number, so that the vocabulary grows with the catalog, as in real shops.
// - Descriptions and tags are unchanged, but descriptions are cut at 300 characters.
// - Popularity falls as 1/rank, and one in twelve products is out of stock.
// The seed is fixed: the n-th product is the same in catalogs of every size.

import { execFileSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { readLines } from "../src/import/formats/lines.ts";
import { type CatalogueName, catalogueFile, createFile } from "./catalogs.ts";
import { createRandom, type Random } from "./random.ts";

/** Source catalogs. Small ones and those in another language are excluded, because they would repeat too often. */
const sources: readonly CatalogueName[] = ["products-100k", "icecat-19k", "fashion-styles-44k", "bestbuy-3k"];
const maxDescription = 300;
const maxAttribute = 20;

/** Fields of a real product that are used. */
interface Product {
  readonly title: string;
  readonly vendor: string;
  readonly type: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly price: number;
}

interface Source {
  readonly products: readonly Product[];
  /** Vendors, the most frequent first. */
  readonly vendors: readonly string[];
  readonly attributes: readonly string[];
}

/** Creates a catalog as rows that `vitrine import` reads.  @returns path of the file */
export function bigCatalogue(count: number): string {
  const thisFile = fileURLToPath(import.meta.url);
  return createFile(`made-${count}.jsonl`, [thisFile, ...sources.map(catalogueFile)], (to) => {
    execFileSync(process.execPath, [thisFile, `${count}`, to], { stdio: ["ignore", "ignore", "inherit"] });
  });
}

if (import.meta.main) {
  const [count, to] = process.argv.slice(2);
  if (to === undefined || !(Number(count) > 0)) throw new Error("usage: catalogue-1m.ts <how many> <out.jsonl>");
  const sourceCatalogs: Source[] = [];
  for (const name of sources) sourceCatalogs.push(await readSource(catalogueFile(name)));
  await pipeline(Readable.from(rows(sourceCatalogs, Number(count))), createWriteStream(to));
  process.stdout.write(`${count} products in ${to}\n`);
}

async function readSource(file: string): Promise<Source> {
  const products: Product[] = [];
  const vendors = new Map<string, number>();
  const attributes = new Set<string>();
  for await (const { text = "" } of readLines(file)) {
    const row = JSON.parse(text) as Record<string, unknown>;
    const readString = (name: string): string => (typeof row[name] === "string" ? row[name] : "");
    const tags = (row.tags as readonly string[] | undefined) ?? [];
    const [variant] = row.variants as readonly { readonly price: number }[];
    const vendor = readString("vendor");
    products.push({
      title: readString("title"),
      vendor,
      type: readString("product_type"),
      tags,
      description: readString("description").slice(0, maxDescription),
      price: variant?.price ?? 0,
    });
    if (vendor !== "") vendors.set(vendor, (vendors.get(vendor) ?? 0) + 1);
    // Some tags contain the name of their attribute, such as `colour:Blue`.
    for (const tag of tags) attributes.add(tag.slice(tag.indexOf(":") + 1));
  }
  const vendorsByCount = [...vendors]
    .sort(([, leftCount], [, rightCount]) => rightCount - leftCount)
    .map(([vendor]) => vendor);
  return {
    products,
    vendors: vendorsByCount,
    attributes: [...attributes].filter(({ length }) => length > 0 && length <= maxAttribute),
  };
}

function* rows(sourceCatalogs: readonly Source[], count: number): Generator<string> {
  const random = createRandom(1);
  const sizes = sourceCatalogs.map(({ products }) => products.length);
  const totalProducts = sizes.reduce((sum, size) => sum + size, 0);
  for (let number = 0; number < count; number += 1) {
    let index = random.below(totalProducts);
    let source = 0;
    while (index >= (sizes[source] ?? 0)) {
      index -= sizes[source] ?? 0;
      source += 1;
    }
    const sourceCatalog = sourceCatalogs[source];
    const product = sourceCatalog?.products[index];
    if (sourceCatalog !== undefined && product !== undefined)
      yield `${JSON.stringify(recombine(product, sourceCatalog, number, random))}\n`;
  }
}

function recombine(product: Product, { vendors, attributes }: Source, number: number, random: Random): object {
  const hasOriginalVendor = vendors.length === 0 || random.below(3) === 0;
  const vendor = hasOriginalVendor ? product.vendor : (vendors[randomRank(vendors.length, random)] ?? "");
  const titleParts = [replaceVendor(product, vendor)];
  const attribute = attributes.length > 0 && random.below(3) > 0 ? random.pick(attributes) : "";
  if (attribute !== "") titleParts.push(attribute);
  const modelLetters = String.fromCharCode(65 + random.below(26), 65 + random.below(26));
  const model = `${modelLetters}${number.toString(36).toUpperCase().padStart(4, "0")}`;
  if (random.below(5) < 2) titleParts.push(model);
  return {
    kind: "product",
    handle: `p-${number}`,
    title: titleParts.join(" ").slice(0, 1_000),
    vendor,
    product_type: product.type,
    tags: attribute === "" || product.tags.includes(attribute) ? product.tags : [...product.tags, attribute],
    description: product.description,
    popularity: 1 / (1 + random.below(1_000)),
    variants: [{ sku: model, price: product.price, ...(random.below(12) === 0 ? { inventory_quantity: 0 } : {}) }],
  };
}

/** Replaces the brand in a title. */
function replaceVendor({ title, vendor }: Product, newVendor: string): string {
  return vendor !== "" && title.startsWith(`${vendor} `) ? `${newVendor}${title.slice(vendor.length)}`.trim() : title;
}

/** Returns a random rank with a Zipf distribution: rank n is 1/n as frequent as rank 1. */
function randomRank(limit: number, random: Random): number {
  const steps = 1 << 20;
  return Math.min(limit - 1, Math.floor((limit + 1) ** (random.below(steps) / steps)) - 1);
}
