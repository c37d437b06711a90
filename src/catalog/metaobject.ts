import type { Translations } from "./product.ts";

/** Something of the merchant's own kind: an expert, a size chart, a stockist. */
export interface Metaobject {
  readonly kind: "metaobject";
  readonly id: string;
  /** Of which kind it is, in the merchant's words: "expert". */
  readonly type: string;
  /** Unique within its type. */
  readonly handle: string;
  /** Name -> value, or -> `{ type, value }` as metafields have it. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly published: boolean;
  /** locale -> field -> text */
  readonly translations: Translations;
}
