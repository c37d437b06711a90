import { decodeEntities } from "../../../catalog/html-text.ts";
import type { ParsedValue } from "../read-value.ts";
import { normalizeColumnName } from "../tables/columns.ts";
import { removeTags } from "../text.ts";

/** One item of a Google Merchant Center feed. */
export interface FeedItem {
  readonly line: number;
  /** Non-blank values by attribute. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Returns the name of an attribute as written in the file, for error messages. */
  nameOf(attribute: string): string;
  readonly source: ParsedValue["source"];
}

/**
 * Returns the first value of an attribute, or "". Feeds may escape texts twice, and contain comments of editors and, in
 * titles, HTML tags.
 */
export function textOf(item: FeedItem | undefined, attribute: string): string {
  const value = item?.values.get(attribute)?.[0] ?? "";
  const text = attribute === "title" ? removeTags(value) : value;
  const isHtml = /<[a-z]/i.test(text);
  return isHtml ? text : removeComments(decodeEntities(text));
}

/** Removes HTML comments, in linear time for any text. */
function removeComments(text: string): string {
  const parts = text.split(COMMENT_END);
  const lastPart = parts.pop() ?? "";
  const remainingParts = parts.map((part) => {
    const start = part.indexOf("<!--");
    return start === -1 ? part + COMMENT_END : part.slice(0, start);
  });
  return remainingParts.join("") + lastPart;
}

const COMMENT_END = "-->";

/**
 * Returns the attribute for the name of a column or XML element; undefined if it is not imported. "g:image_link" and
 * "image link" are the same attribute.
 */
export function getAttributeName(name: string): string | undefined {
  const normalizedName = normalizeColumnName(name)
    .replace(/^g:/, "")
    .replace(/\s*[([].*$/, "")
    .replaceAll(" ", "_");
  return attributes.has(normalizedName) ? normalizedName : aliases.get(normalizedName);
}

/** Attributes that can occur several times in an item. */
export const repeatedAttributes: ReadonlySet<string> = new Set(["additional_image_link", "video_link"]);

/** Returns the values in the text of an attribute. Those that can occur several times are URLs, separated by commas. */
export function splitValues(attribute: string, text: string): readonly string[] {
  if (!repeatedAttributes.has(attribute)) return [text];
  // A URL may contain commas, such as the URL of a resized image.
  return text
    .split(/,(?=\s*(?:(?:https?:)?\/\/|,|$))/i)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Attributes that distinguish the variants of a product, with their option names. */
export const optionNames: ReadonlyMap<string, string> = new Map([
  ["color", "Color"],
  ["size", "Size"],
  ["material", "Material"],
  ["pattern", "Pattern"],
  ["gender", "Gender"],
  ["age_group", "Age group"],
]);

/** Attributes that are stored as metafields of a product, as in Shopify. */
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
  ..."id title description link image_link additional_image_link video_link virtual_model_link availability price sale_price sale_price_effective_date".split(
    " ",
  ),
  ..."google_product_category product_type brand gtin item_group_id shipping_weight unit_pricing_measure unit_pricing_base_measure quantity cost_of_goods_sold".split(
    " ",
  ),
]);
const aliases: ReadonlyMap<string, string> = new Map([
  ["sell_on_google_quantity", "quantity"],
  ["quantity_to_sell_on_facebook", "quantity"],
  ["inventory", "quantity"],
  ["product_weight", "shipping_weight"],
  ["colour", "color"],
]);
