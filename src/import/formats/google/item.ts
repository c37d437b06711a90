import type { ReadValue } from "../read-value.ts";
import { plainName } from "../tables/columns.ts";

/** One item of a feed of Google Merchant Center. */
export interface FeedItem {
  readonly line: number;
  /** Attribute -> its values, none of them blank. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** An attribute's name in the file, for messages. */
  nameOf(attribute: string): string;
  readonly source: ReadValue["source"];
}

/** The attribute's value; "" where it has none. */
export function textOf(item: FeedItem | undefined, attribute: string): string {
  return item?.values.get(attribute)?.[0] ?? "";
}

/** The attribute that a name stands for: "g:image_link" and "image link" are one; undefined: nobody reads it. */
export function attributeOf(name: string): string | undefined {
  const plain = plainName(name)
    .replace(/^g:/, "")
    .replace(/\s*[([].*$/, "")
    .replaceAll(" ", "_");
  return attributes.has(plain) ? plain : others.get(plain);
}

/** Attributes of which an item may have several. */
export const lists: ReadonlySet<string> = new Set(["additional_image_link"]);

/** Those that tell variants of one product apart, with their names. */
export const optionNames: ReadonlyMap<string, string> = new Map([
  ["color", "Color"],
  ["size", "Size"],
  ["material", "Material"],
  ["pattern", "Pattern"],
  ["gender", "Gender"],
  ["age_group", "Age group"],
]);

/** Those that a product has as metafields, as Shopify has them. */
export const metafields: readonly string[] = [
  ...optionNames.keys(),
  "condition",
  "mpn",
  "size_type",
  "size_system",
  "custom_label_0",
  "custom_label_1",
  "custom_label_2",
  "custom_label_3",
  "custom_label_4",
];

const attributes: ReadonlySet<string> = new Set([
  ...metafields,
  ..."id title description link image_link additional_image_link availability price sale_price sale_price_effective_date".split(
    " ",
  ),
  ..."google_product_category product_type brand gtin item_group_id shipping_weight quantity cost_of_goods_sold".split(
    " ",
  ),
]);
const others: ReadonlyMap<string, string> = new Map([
  ["sell_on_google_quantity", "quantity"],
  ["inventory", "quantity"],
  ["product_weight", "shipping_weight"],
  ["colour", "color"],
]);
