// Converts the catalog of a Spanish supermarket. It has short titles, category paths, and no brand column. Ids are
// unchanged.
import { convertLines } from "./source-lines.ts";

interface Source {
  readonly id: string;
  readonly name: string;
  readonly category_path: string;
  readonly price: number;
}

await convertLines<Source>("mercadona-es-4k.jsonl", (source, handle) => {
  const categories = source.category_path.split(" > ");
  return {
    kind: "product",
    id: Number(source.id),
    handle: handle(source.name),
    title: source.name,
    product_type: categories.at(-1) ?? "",
    tags: [...new Set(categories.slice(0, -1))],
    variants: [{ price: Math.round(source.price * 100) }],
  };
});
