// Converts an electronics catalog with attributes. Ids are unchanged, because the judgments refer to them.
import { convertLines } from "./source-lines.ts";

type Source = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly name?: string;
  readonly title?: string;
  readonly ean?: readonly string[];
  readonly short_description?: string;
  readonly img_500x500?: string;
  readonly supplier?: string;
  readonly price?: number;
};

/** Maximum number of attributes per product, to exclude long lists of ports and standards. */
const MAX_TAGS = 20;

await convertLines<Source>("icecat-19k.jsonl", (source, handle) => {
  const title = source.title?.trim() || source.name?.trim();
  if (title === undefined || title === "") return undefined;
  const type = source.attr_t_product_type;
  return {
    kind: "product",
    id: Number(source.id),
    handle: handle(title),
    title: title.slice(0, 1_000),
    vendor: source.supplier ?? "",
    product_type: typeof type === "string" ? type.slice(0, 200) : "",
    tags: tagsOf(source),
    description: source.short_description ?? "",
    variants: [
      {
        sku: source.name?.trim() ?? "",
        barcode: source.ean?.[0] ?? "",
        price: Math.max(0, Math.round(source.price ?? 0)),
      },
    ],
    images: source.img_500x500 === undefined ? [] : [{ src: source.img_500x500 }],
  };
});

function tagsOf(source: Source): readonly string[] {
  const values = Object.entries(source).filter(
    ([name, value]) => name.startsWith("attr_t_") && typeof value === "string",
  );
  const texts = values.map(([, value]) => String(value).trim()).filter((text) => text !== "" && text.length <= 60);
  return [...new Set(texts)].slice(0, MAX_TAGS);
}
