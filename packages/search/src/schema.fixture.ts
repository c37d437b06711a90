import type { Schema } from "./schema.ts";

/** A schema with a field of each kind and the maximum number of fields, for the package's tests. */
export const schema: Schema = {
  fields: [
    { label: "title", weight: 100, kind: "title" },
    { label: "vendor", weight: 60, kind: "phrase" },
    { label: "type", weight: 60, kind: "phrase" },
    { label: "author", weight: 50, kind: "text" },
    { label: "tags", weight: 50, kind: "text" },
    { label: "SKU", weight: 30, kind: "code" },
    { label: "barcode", weight: 30, kind: "code" },
    { label: "options", weight: 20, kind: "text" },
    { label: "description", weight: 8, kind: "body" },
  ],
  purpose: { label: "title, as its purpose", weight: 60 },
  category: 2,
  maker: 1,
};

export const fields = {
  title: 0,
  vendor: 1,
  productType: 2,
  author: 3,
  tag: 4,
  sku: 5,
  barcode: 6,
  variantTitle: 7,
  body: 8,
} as const;
