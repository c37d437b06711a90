// Converts the catalog of an American electronics shop, with descriptions and sales ranks. The id of a product is its
// position in the file, from 1.
import { readFile } from "node:fs/promises";
import { createHandles, paths, writeRows } from "./source-lines.ts";

interface Source {
  readonly name: string;
  readonly description: string;
  readonly brand: string;
  readonly categories: readonly string[];
  readonly price: number;
  readonly image: string;
  readonly popularity: number;
}

const { from, to } = paths("bestbuy-3k.json");
const sources = JSON.parse(await readFile(from, "utf8")) as readonly Source[];
const maxPopularity = Math.max(...sources.map(({ popularity }) => popularity));
const handle = createHandles();
const rows = sources.map((source, at) => ({
  kind: "product",
  id: at + 1,
  handle: handle(source.name),
  title: source.name,
  vendor: source.brand,
  product_type: source.categories.at(-1) ?? "",
  tags: source.categories.slice(0, -1),
  description: source.description,
  popularity: Math.max(0, source.popularity / maxPopularity),
  variants: [{ price: Math.round(source.price * 100) }],
  images: source.image === "" ? [] : [{ src: source.image }],
}));
await writeRows(to, rows);
