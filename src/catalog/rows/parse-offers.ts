import type { Discount, GiftCard } from "../../pricing/discount.ts";
import type { Bundle } from "../bundle.ts";
import * as read from "./fields.ts";
import { type ErrorReporter, type Fields, parseObject } from "./fields.ts";
import { readHandle, readId } from "./identity.ts";
import { discountTypes, parsePromotion } from "./parse-promotion.ts";
import { parseTranslations } from "./shared-fields.ts";

/** Parses a bundle of a catalog file, and sets defaults. @see parseProduct */
export function parseBundle(value: unknown, addError: ErrorReporter): Bundle | undefined {
  const fields = parseObject(value, "", bundleFields, "a bundle", addError);
  if (fields === undefined) return undefined;
  const handle = readHandle(fields);
  const name = read.parseRequiredName(fields, "name");
  const type = read.parseChoice(fields, "type", ["box_builder", "frequently_bought_together"]);
  if (read.isMissing(fields, "type")) addError("type", 'is required: "box_builder" or "frequently_bought_together"');
  const products = read.parseNames(fields, "products");
  if (products.length === 0) addError("products", "is required: the handles of at least one product");
  return {
    kind: "bundle",
    id: readId(fields, () => `bundle\n${handle}`),
    handle,
    name,
    title: read.parseName(fields, "title") ?? name,
    type: type ?? "box_builder",
    products,
    ...parseDates(fields),
    published: read.parseFlag(fields, "published", true),
    translations: parseTranslations(fields, new Set(["name", "title"])),
  };
}

/** Parses a discount of a catalog file, and sets defaults. @see parseProduct */
export function parseDiscount(value: unknown, addError: ErrorReporter): Discount | undefined {
  const fields = parseObject(value, "", discountFields, "a discount", addError);
  if (fields === undefined) return undefined;
  const code = read.parseName(fields, "code");
  const title = read.parseName(fields, "title") ?? code ?? "Discount";
  const valueType = read.parseChoice(fields, "value_type", discountTypes);
  if (read.isMissing(fields, "value_type"))
    addError("value_type", `is required: ${discountTypes.map((type) => `"${type}"`).join(", ")}`);
  return {
    kind: "discount",
    id: readId(fields, () => (code === undefined ? `discount\n\n${title}` : `discount\n${normalizeCode(code)}`)),
    ...read.createField("code", code),
    title,
    valueType: valueType ?? "percentage",
    ...parsePromotion(fields, valueType ?? "percentage"),
    minimumSubtotal: read.parseMoney(fields, "minimum_subtotal") ?? 0,
    ...parseDates(fields),
    products: read.parseNames(fields, "products"),
    collections: read.parseNames(fields, "collections"),
    ...read.createField("usageLimit", read.parseInteger(fields, "usage_limit", 1)),
    ...read.createField("customerLimit", read.parseInteger(fields, "customer_limit", 1)),
    ...(read.parseFlag(fields, "combines", true) ? {} : { combines: false }),
  };
}

/** Parses a gift card of a catalog file. @see parseProduct */
export function parseGiftCard(value: unknown, addError: ErrorReporter): GiftCard | undefined {
  const fields = parseObject(value, "", giftCardFields, "a gift card", addError);
  if (fields === undefined) return undefined;
  const code = read.parseRequiredName(fields, "code");
  if (read.isMissing(fields, "balance")) addError("balance", "is required");
  return {
    kind: "gift_card",
    id: readId(fields, () => `gift_card\n${normalizeCode(code)}`),
    code,
    balance: read.parseMoney(fields, "balance") ?? 0,
  };
}

/** Normalizes a discount code, since codes match regardless of case and surrounding whitespace. */
export function normalizeCode(code: string): string {
  return code.trim().toUpperCase();
}

const bundleFields: ReadonlySet<string> = new Set(
  "kind id handle name title type products starts_at ends_at published translations".split(" "),
);
const discountFields: ReadonlySet<string> = new Set(
  "kind id code title value_type value quantity_breaks buy get minimum_subtotal starts_at ends_at products collections usage_limit customer_limit combines".split(
    " ",
  ),
);
const giftCardFields: ReadonlySet<string> = new Set(["kind", "id", "code", "balance"]);

function parseDates(fields: Fields): { readonly startsAt?: string; readonly endsAt?: string } {
  const startsAt = read.parseDate(fields, "starts_at");
  const endsAt = read.parseDate(fields, "ends_at");
  if (startsAt !== undefined && endsAt !== undefined && Date.parse(endsAt) <= Date.parse(startsAt)) {
    read.report(fields, "ends_at", "must be after starts_at");
  }
  return { ...read.createField("startsAt", startsAt), ...read.createField("endsAt", endsAt) };
}
