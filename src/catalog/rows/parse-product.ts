import { isObject } from "../../runtime/is-object.ts";
import { DEFAULT_VARIANT_TITLE } from "../catalog.ts";
import { classifyMedia, type ProductMedia } from "../media.ts";
import type { Image, Product, QuantityRule, Variant } from "../product.ts";
import type { WeightUnit } from "../unit-price.ts";
import * as read from "./fields.ts";
import { createField, type ErrorReporter, type Fields, parseObject, parseObjectField, report } from "./fields.ts";
import { readHandle, readId } from "./identity.ts";
import { parseSeo, parseTemplateSuffix, parseTranslations, parseUnitPriceMeasure } from "./shared-fields.ts";

/** Maximum number of variants of one product. The limit exists because all variants are decoded together. */
const MAX_VARIANTS = 2_048;
const MAX_OPTIONS = 10;
/** Maximum number of products in a combined listing. The limit exists because the page of each decodes all of them. */
const MAX_COMBINED_PRODUCTS = 100;

/** Parses a product of a catalog file, and sets defaults. Callers must discard the result if an error was reported. */
export function parseProduct(value: unknown, addError: ErrorReporter): Product | undefined {
  const fields = parseObject(value, "", productFields, "a product", addError);
  if (fields === undefined) return undefined;
  const handle = readHandle(fields);
  const options = read.parseNames(fields, "options");
  reportLength(fields, "options", options, MAX_OPTIONS);
  if (new Set(options).size < options.length) report(fields, "options", "names one option twice");
  const images = read
    .parseList(fields, "images")
    .map((image, index) => parseImage(image, `images[${index}]`, addError));
  const product: Product = {
    kind: "product",
    id: readId(fields, () => `product\n${handle}`),
    handle,
    title: read.parseRequiredName(fields, "title"),
    vendor: read.parseName(fields, "vendor") ?? "",
    productType: read.parseName(fields, "product_type") ?? "",
    ...createField("category", read.parseName(fields, "category")),
    tags: read.parseNames(fields, "tags"),
    description: read.parseBody(fields, "description"),
    published: read.parseFlag(fields, "published", true),
    popularity: read.parseNumber(fields, "popularity", 1) ?? 0,
    options,
    variants: parseVariants(fields, handle, options),
    images: images.filter((image) => image !== undefined),
    ...parseMedia(fields),
    ...parseCombinedListing(fields, options),
    requiresCustomer: read.parseFlag(fields, "requires_customer", false),
    giftCard: read.parseFlag(fields, "gift_card", false),
    ...parseSeo(fields),
    ...parseTemplateSuffix(fields),
    ...createField("createdAt", read.parseDate(fields, "created_at")),
    ...createField("publishedAt", read.parseDate(fields, "published_at")),
    ...createField("updatedAt", read.parseDate(fields, "updated_at")),
    metafields: parseMetafields(fields),
    translations: parseTranslations(fields, translatableFields),
  };
  checkVariants(product, addError);
  return product;
}

export function parseImage(value: unknown, path: string, addError: ErrorReporter): Image | undefined {
  const fields = parseObject(value, `${path}.`, imageFields, "an image", addError);
  if (fields === undefined) return undefined;
  const src = read.parseRequiredName(fields, "src");
  if (unsafeUrlPattern.test(src)) report(fields, "src", "must be a path or an http(s) URL");
  return {
    src,
    ...createField("alt", read.parseName(fields, "alt")),
    ...createField("width", read.parseInteger(fields, "width", 1)),
    ...createField("height", read.parseInteger(fields, "height", 1)),
  };
}

/** Parses `media`, the videos and 3D models. The result is spread into the row. */
function parseMedia(fields: Fields): { readonly media?: readonly ProductMedia[] } {
  const media = read.parseList(fields, "media").flatMap((value, index): readonly ProductMedia[] => {
    const entry = parseObject(value, `media[${index}].`, mediaFields, "a video or 3D model", fields.addError);
    if (entry === undefined) return [];
    const src = read.parseRequiredName(entry, "src");
    if (src !== "" && classifyMedia(src) === undefined)
      report(entry, "src", "must be a video (.mp4, .webm, .mov, YouTube, Vimeo) or a 3D model (.glb, .gltf, .usdz)");
    const poster = read.parseName(entry, "poster");
    if (poster !== undefined && unsafeUrlPattern.test(poster))
      report(entry, "poster", "must be a path or an http(s) URL");
    return [
      {
        src,
        ...createField("alt", read.parseName(entry, "alt")),
        ...createField("poster", poster),
        ...createField("width", read.parseInteger(entry, "width", 1)),
        ...createField("height", read.parseInteger(entry, "height", 1)),
      },
    ];
  });
  return media.length === 0 ? {} : { media };
}

function parseCombinedListing(
  fields: Fields,
  options: readonly string[],
): { readonly combinedListing?: readonly string[] } {
  const handles = read.parseNames(fields, "combined_listing");
  if (handles.length === 0) return {};
  if (options.length === 0) report(fields, "combined_listing", "needs options, such as a color, to select a product");
  reportLength(fields, "combined_listing", handles, MAX_COMBINED_PRODUCTS);
  if (new Set(handles).size < handles.length) report(fields, "combined_listing", "names one product twice");
  return { combinedListing: handles };
}

const unsafeUrlPattern = /^\s*(javascript|vbscript|data):/i;
const mediaFields: ReadonlySet<string> = new Set(["src", "alt", "poster", "width", "height"]);

const productFields: ReadonlySet<string> = new Set(
  "kind id handle title vendor product_type category tags description published popularity options variants images media combined_listing requires_customer gift_card seo template_suffix created_at published_at updated_at metafields translations".split(
    " ",
  ),
);
const variantFields: ReadonlySet<string> = new Set(
  "id title options option1 option2 option3 sku barcode price compare_at_price cost inventory_quantity inventory_policy requires_shipping taxable grams weight_unit unit_price_measure image quantity_rule".split(
    " ",
  ),
);
const imageFields: ReadonlySet<string> = new Set(["src", "alt", "width", "height"]);
const ruleFields: ReadonlySet<string> = new Set(["min", "max", "increment"]);
const translatableFields: ReadonlySet<string> = new Set(
  "title description body vendor product_type tags options option_values seo".split(" "),
);
const defaultQuantityRule: QuantityRule = { min: 1, increment: 1 };

/** Parses `weight_unit`; default: grams. */
function parseWeightUnit(fields: Fields): WeightUnit | undefined {
  const unit = read.parseChoice(fields, "weight_unit", ["g", "kg", "lb", "oz"]);
  return unit === "g" ? undefined : unit;
}

/** Reports a list with more entries than allowed.  @returns whether the list is too long */
function reportLength(fields: Fields, name: string, { length }: readonly unknown[], maxLength: number): boolean {
  if (length > maxLength) report(fields, name, `has ${length} entries; at most ${maxLength} are possible`);
  return length > maxLength;
}

function parseVariants(fields: Fields, handle: string, options: readonly string[]): readonly Variant[] {
  const values = read.parseList(fields, "variants");
  if (values.length === 0) report(fields, "variants", 'is required: at least one, like [{ "price": 1999 }]');
  if (reportLength(fields, "variants", values, MAX_VARIANTS)) return [];
  return values
    .map((value, index) => parseVariant(value, `variants[${index}].`, handle, options.length, fields.addError))
    .filter((variant) => variant !== undefined);
}

function parseVariant(
  value: unknown,
  path: string,
  handle: string,
  optionCount: number,
  addError: ErrorReporter,
): Variant | undefined {
  const fields = parseObject(value, path, variantFields, "a variant", addError);
  if (fields === undefined) return undefined;
  const options = parseOptionValues(fields);
  if (options.length !== optionCount) {
    report(fields, "options", `has ${options.length} values, but the product has ${optionCount} options`);
  }
  const titleField = read.parseName(fields, "title");
  const title = titleField ?? (options.length === 0 ? DEFAULT_VARIANT_TITLE : options.join(" / "));
  if (read.isMissing(fields, "price")) report(fields, "price", "is required");
  return {
    id: readId(fields, () => ["variant", handle, ...(options.length > 0 ? options : [title])].join("\n")),
    title,
    options,
    ...createField("sku", read.parseName(fields, "sku")),
    ...createField("barcode", read.parseName(fields, "barcode")),
    price: read.parseMoney(fields, "price") ?? 0,
    ...createField("compareAtPrice", read.parseMoney(fields, "compare_at_price")),
    ...createField("cost", read.parseMoney(fields, "cost")),
    ...createField("inventoryQuantity", read.parseInteger(fields, "inventory_quantity", -1e9, 1e9)),
    inventoryPolicy: read.parseChoice(fields, "inventory_policy", ["deny", "continue"]) ?? "deny",
    requiresShipping: read.parseFlag(fields, "requires_shipping", true),
    taxable: read.parseFlag(fields, "taxable", true),
    grams: read.parseNumber(fields, "grams", 1_000_000_000) ?? 0,
    ...createField("weightUnit", parseWeightUnit(fields)),
    ...createField("unitPriceMeasure", parseUnitPriceMeasure(fields)),
    ...createField("image", read.parseName(fields, "image")),
    quantityRule: parseQuantityRule(fields),
  };
}

/** Parses option values from `options`, or else from `option1` to `option3`. */
function parseOptionValues(fields: Fields): readonly string[] {
  if (!read.isMissing(fields, "options")) return read.parseNames(fields, "options");
  return ["option1", "option2", "option3"]
    .map((name) => read.parseName(fields, name))
    .filter((option) => option !== undefined);
}

function parseQuantityRule(fields: Fields): QuantityRule {
  const rule = parseObjectField(fields, "quantity_rule", ruleFields, "a quantity rule");
  if (rule === undefined) return defaultQuantityRule;
  const min = read.parseInteger(rule, "min", 1, 1_000_000) ?? 1;
  const max = read.parseInteger(rule, "max", 1, 1_000_000);
  if (max !== undefined && max < min) report(rule, "max", "must not be less than min");
  const increment = read.parseInteger(rule, "increment", 1, 1_000_000) ?? 1;
  return { min, ...createField("max", max), increment };
}

function parseMetafields(fields: Fields): Readonly<Record<string, unknown>> {
  const value = fields.values.metafields;
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  report(fields, "metafields", "must be an object { … }");
  return {};
}

function checkVariants(product: Product, addError: ErrorReporter): void {
  if (product.variants.length < 2 && product.images.length === 0 && product.variants[0]?.image === undefined) return;
  const imageSources = new Set(product.images.map((image) => image.src));
  const combinations = new Set<string>();
  for (const [index, variant] of product.variants.entries()) {
    const combination = variant.options.join("\n");
    if (variant.options.length > 0 && combinations.has(combination)) {
      addError(`variants[${index}].options`, `"${variant.options.join(" / ")}" occurs twice`);
    }
    combinations.add(combination);
    if (variant.image !== undefined && !imageSources.has(variant.image)) {
      addError(`variants[${index}].image`, "must be the src of one of the product's images");
    }
  }
}
