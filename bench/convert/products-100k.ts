// Converts a mixed catalog of 100,000 products. Prices are decimals. According to its source, a part of the catalog is
// artificial.
import { convertLines } from "./source-lines.ts";

interface Source {
  readonly title: string;
  readonly vendor: string;
  readonly product_type: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly price: number;
}

await convertLines<Source>("products-100k.jsonl", (source, handle) => ({
  kind: "product",
  handle: handle(source.title),
  title: source.title,
  vendor: source.vendor,
  product_type: source.product_type,
  tags: source.tags.filter((tag) => tag.trim() !== ""),
  description: source.description,
  variants: [{ price: Math.round(source.price * 100) }],
}));
