import { decimalMoney } from "../../pricing/money.ts";
import { TemplateObject } from "../objects/template-object.ts";
import { type RenderState, stateOf } from "../render-state.ts";
import { localPath } from "../view.ts";
import { type FilterFamily, numberOf, textOf } from "./filter.ts";
import { scriptJson } from "./json.ts";

export const storeFilters: FilterFamily = {
  /** `{{ product.url | within: collection }}` */
  within(value, collection) {
    const path = textOf(value);
    const handle = field(collection, "handle");
    const { view } = stateOf(this.context);
    const at = path.startsWith(localPath(view, "/products/")) ? view.prefix.length : -1;
    if (typeof handle !== "string" || at < 0) return path;
    return `${localPath(view, `/collections/${encodeURIComponent(handle)}`)}${path.slice(at)}`;
  },
  /** `{{ cart | item_count_for_variant: variant.id }}` */
  item_count_for_variant(cart, variantId) {
    const items = field(cart, "items");
    if (!Array.isArray(items)) return 0;
    const id = textOf(variantId);
    return items
      .filter((item) => textOf(field(item, "variant_id")) === id)
      .reduce((sum: number, item) => sum + (numberOf(field(item, "quantity")) ?? 0), 0);
  },
  /** Grams as people read them. */
  weight_with_unit(value) {
    const grams = numberOf(value);
    if (grams === undefined) return "";
    const isLight = Math.abs(grams) < 1_000;
    return new Intl.NumberFormat(stateOf(this.context).view.request.locale, {
      style: "unit",
      unit: isLight ? "gram" : "kilogram",
      maximumFractionDigits: 2,
    }).format(isLight ? grams : grams / 1_000);
  },
  /** What search engines read of a product or an article, as JSON-LD for a script element of that type. */
  structured_data(value) {
    const data = value instanceof TemplateObject ? described(value, stateOf(this.context)) : undefined;
    return data === undefined ? "" : scriptJson(data);
  },
};

function field(value: unknown, name: string): unknown {
  return value instanceof TemplateObject ? value.liquidMethodMissing(name) : undefined;
}

function described(value: TemplateObject<unknown>, { view }: RenderState): unknown {
  const { origin } = view.request;
  const text = (name: string): string => textOf(field(value, name));
  const image = field(field(value, "featured_image"), "src");
  const common = {
    "@context": "https://schema.org",
    url: origin + text("url"),
    ...(typeof image === "string" ? { image: new URL(image, origin).href } : {}),
  };
  if (value.object_type === "article")
    return {
      ...common,
      "@type": "Article",
      headline: text("title"),
      datePublished: text("published_at"),
      author: { "@type": "Person", name: text("author") },
    };
  if (value.object_type !== "product") return undefined;
  const variants = field(value, "variants");
  return {
    ...common,
    "@type": "Product",
    name: text("title"),
    description: text("description")
      .replace(/<[^>]*>/g, " ")
      .trim()
      .slice(0, 5_000),
    brand: { "@type": "Brand", name: text("vendor") },
    offers: (Array.isArray(variants) ? variants : []).slice(0, 100).map((variant) => ({
      "@type": "Offer",
      url: origin + textOf(field(variant, "url")),
      sku: field(variant, "sku"),
      price: decimalMoney(numberOf(field(variant, "price")) ?? 0, view.config.currency),
      priceCurrency: view.config.currency,
      availability: `https://schema.org/${field(variant, "available") === true ? "InStock" : "OutOfStock"}`,
    })),
  };
}
