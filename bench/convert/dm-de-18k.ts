// A German drugstore. The number of ratings approximates sales. The product's id is its GTIN; a few repeat.
import { convertLines, createIds, paths } from "./source-lines.ts";

interface Source {
  readonly gtin: number;
  readonly brand?: string;
  readonly title: string;
  readonly category?: string;
  readonly price: number;
  readonly image?: string;
  readonly ratingCount?: number;
  readonly available: boolean;
}

/** Minimum ratings of a product that counts as one of the most popular. */
const MANY_RATINGS = 1_000;

const idOf = createIds();
const { from, to } = paths("dm-de-18k.jsonl");
const count = await convertLines<Source>(from, to, (source, handle) => ({
  kind: "product",
  id: idOf(source.gtin),
  handle: handle(`${source.brand ?? ""} ${source.title}`),
  title: source.title,
  vendor: source.brand ?? "",
  product_type: source.category ?? "",
  popularity: Math.min(1, Math.log1p(source.ratingCount ?? 0) / Math.log1p(MANY_RATINGS)),
  variants: [
    {
      barcode: String(source.gtin),
      price: Math.round(source.price * 100),
      inventory_quantity: source.available ? 1 : 0,
    },
  ],
  images: source.image === undefined || source.image === "" ? [] : [{ src: source.image }],
}));
process.stdout.write(`${count} products in ${to}\n`);
