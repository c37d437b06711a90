// Converts the catalog of a German drugstore. The number of ratings approximates sales. The id of a product is its
// GTIN, of which a few occur twice.
import { convertLines, createIds } from "./source-lines.ts";

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

/** Number of ratings from which a product counts as one of the most popular. */
const MANY_RATINGS = 1_000;

const idOf = createIds();
await convertLines<Source>("dm-de-18k.jsonl", (source, handle) => ({
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
