import { isObject } from "../../runtime/is-object.ts";
import type { Collection, CollectionRules } from "../collection.ts";
import type { Article, Metaobject, Page } from "../content.ts";
import type { Image } from "../product.ts";
import * as read from "./fields.ts";
import { type ErrorReporter, type Fields, parseObject } from "./fields.ts";
import { readHandle, readId } from "./identity.ts";
import { parseImage } from "./parse-product.ts";
import { parseSeo, parseTemplateSuffix, parseTranslations } from "./shared-fields.ts";

/** Parses a collection of a catalog file, and sets defaults. @see parseProduct */
export function parseCollection(value: unknown, addError: ErrorReporter): Collection | undefined {
  const fields = parseObject(value, "", collectionFields, "a collection", addError);
  if (fields === undefined) return undefined;
  const handle = readHandle(fields);
  const rules = parseRules(fields);
  const products = read.parseNames(fields, "products");
  if (rules !== undefined && products.length > 0) addError("rules", "a collection has either rules or products");
  return {
    kind: "collection",
    id: readId(fields, () => `collection\n${handle}`),
    handle,
    title: read.parseRequiredName(fields, "title"),
    description: read.parseBody(fields, "description"),
    ...parseImageField(fields),
    products,
    ...read.createField("rules", rules),
    published: read.parseFlag(fields, "published", true),
    ...parseSeo(fields),
    ...parseTemplateSuffix(fields),
    translations: parseTranslations(fields, new Set(["title", "description", "body", "seo"])),
  };
}

/** Parses a page of a catalog file, and sets defaults. @see parseProduct */
export function parsePage(value: unknown, addError: ErrorReporter): Page | undefined {
  const fields = parseObject(value, "", pageFields, "a page", addError);
  if (fields === undefined) return undefined;
  const handle = readHandle(fields);
  return {
    kind: "page",
    id: readId(fields, () => `page\n${handle}`),
    handle,
    title: read.parseRequiredName(fields, "title"),
    content: read.parseBody(fields, "content"),
    published: read.parseFlag(fields, "published", true),
    ...parseSeo(fields),
    ...parseTemplateSuffix(fields),
    translations: parseTranslations(fields, new Set(["title", "content", "body", "seo"])),
  };
}

/** Parses an article of a catalog file, and sets defaults. @see parseProduct */
export function parseArticle(value: unknown, addError: ErrorReporter): Article | undefined {
  const fields = parseObject(value, "", articleFields, "an article", addError);
  if (fields === undefined) return undefined;
  const handle = readHandle(fields);
  return {
    kind: "article",
    id: readId(fields, () => `article\n${handle}`),
    handle,
    title: read.parseRequiredName(fields, "title"),
    blog: readHandle(fields, "blog"),
    content: read.parseBody(fields, "content"),
    excerpt: read.parseBody(fields, "excerpt"),
    author: read.parseName(fields, "author") ?? "",
    tags: read.parseNames(fields, "tags"),
    ...parseImageField(fields),
    ...read.createField("publishedAt", read.parseDate(fields, "published_at")),
    published: read.parseFlag(fields, "published", true),
    ...parseSeo(fields),
    ...parseTemplateSuffix(fields),
    translations: parseTranslations(fields, articleTexts),
  };
}

const collectionFields: ReadonlySet<string> = new Set(
  "kind id handle title description image products rules published seo template_suffix translations".split(" "),
);
const pageFields: ReadonlySet<string> = new Set(
  "kind id handle title content published seo template_suffix translations".split(" "),
);
const articleFields: ReadonlySet<string> = new Set(
  "kind id handle title blog content excerpt author tags image published_at published seo template_suffix translations".split(
    " ",
  ),
);
const articleTexts: ReadonlySet<string> = new Set("title content body excerpt author tags seo".split(" "));
const ruleFields: ReadonlySet<string> = new Set(["vendor", "product_type", "tag"]);

function parseRules(fields: Fields): CollectionRules | undefined {
  const rules = read.parseObjectField(fields, "rules", ruleFields, "a collection's rules");
  if (rules === undefined) return undefined;
  return {
    ...read.createField("vendor", read.parseName(rules, "vendor")),
    ...read.createField("productType", read.parseName(rules, "product_type")),
    ...read.createField("tag", read.parseName(rules, "tag")),
  };
}

/** Parses `image`: an object with the fields of a product's image, or only its URL. */
function parseImageField(fields: Fields): { readonly image?: Image } {
  const value = fields.values.image;
  if (value === undefined || value === null || value === "") return {};
  const image = parseImage(typeof value === "string" ? { src: value } : value, "image", fields.addError);
  return read.createField("image", image);
}

/** Parses a metaobject of a catalog file, and sets defaults. @see parseProduct */
export function parseMetaobject(value: unknown, addError: ErrorReporter): Metaobject | undefined {
  const fields = parseObject(value, "", metaobjectFields, "a metaobject", addError);
  if (fields === undefined) return undefined;
  const type = readHandle(fields, "type");
  const handle = readHandle(fields);
  const input = fields.values.fields ?? {};
  if (!isObject(input)) addError("fields", "must be an object { … }");
  const fieldValues = isObject(input) ? input : {};
  return {
    kind: "metaobject",
    id: readId(fields, () => `metaobject\n${type}\n${handle}`),
    type,
    handle,
    fields: fieldValues,
    published: read.parseFlag(fields, "published", true),
    translations: parseTranslations(fields, new Set(Object.keys(fieldValues))),
  };
}

const metaobjectFields: ReadonlySet<string> = new Set("kind id type handle fields published translations".split(" "));
