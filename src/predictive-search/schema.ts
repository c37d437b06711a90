import type { Schema } from "@vitrine/search";

/**
 * Fields of the shop's search documents. Their order determines their numbers in the index. Each weight is the score of
 * a matching full word.
 */
const fieldWeights = {
  title: { label: "title", weight: 100, kind: "title" },
  vendor: { label: "vendor", weight: 60, kind: "phrase" },
  productType: { label: "type", weight: 60, kind: "phrase" },
  author: { label: "author", weight: 50, kind: "text" },
  tag: { label: "tags", weight: 50, kind: "text" },
  sku: { label: "SKU", weight: 30, kind: "code" },
  barcode: { label: "barcode", weight: 30, kind: "code" },
  variantTitle: { label: "options", weight: 20, kind: "text" },
  body: { label: "description", weight: 8, kind: "body" },
} as const;

type FieldName = keyof typeof fieldWeights;

/** Schema of the shop's documents in the search index. */
export const schema: Schema = {
  fields: Object.values(fieldWeights),
  purpose: { label: "title, as its purpose", weight: 60 },
  category: Object.keys(fieldWeights).indexOf("productType"),
  maker: Object.keys(fieldWeights).indexOf("vendor"),
};

export const fields = Object.fromEntries(Object.keys(fieldWeights).map((name, number) => [name, number])) as Readonly<
  Record<FieldName, number>
>;
