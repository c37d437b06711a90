import { type Change, minorUnits, optionalField } from "./change.ts";

/** An id. Numbers above 2^53 are strings of digits. */
type Id = number | string;

/**
 * State between webhooks: the variant of each inventory item, and its stock at each location. Store it in a file or a
 * table.
 */
export interface ShopifyMemory {
  readonly variants: Map<Id, Id>;
  readonly levels: Map<Id, Map<Id, number>>;
}

/**
 * Translates a webhook to changes.
 * @param topic header `X-Shopify-Topic`
 * @param decimals number of decimals of the shop's currency
 */
export function fromShopify(
  topic: string,
  payload: unknown,
  { memory, decimals }: { readonly memory: ShopifyMemory; readonly decimals: number },
): readonly Change[] {
  if (topic === "products/create" || topic === "products/update") {
    const product = payload as ShopifyProduct;
    for (const { id, inventory_item_id: item } of product.variants) memory.variants.set(item, id);
    return [{ path: "/admin/catalog", lines: [productRow(product, decimals)] }];
  }
  if (topic === "products/delete") {
    const { id } = payload as { readonly id: Id };
    return [{ path: "/admin/catalog", lines: [{ delete: { kind: "product", id } }] }];
  }
  if (topic === "inventory_levels/update") return stockChange(payload as ShopifyLevel, memory);
  return [];
}

interface ShopifyProduct {
  readonly id: Id;
  readonly title: string;
  readonly handle: string;
  readonly body_html: string | null;
  readonly vendor: string;
  readonly product_type: string;
  readonly tags: string;
  readonly status: "active" | "archived" | "draft";
  readonly published_at: string | null;
  readonly options: readonly { readonly name: string }[];
  readonly images: readonly ShopifyImage[];
  readonly variants: readonly ShopifyVariant[];
}

interface ShopifyImage {
  readonly id: Id;
  readonly src: string;
  readonly alt: string | null;
  readonly width: number;
  readonly height: number;
}

interface ShopifyVariant {
  readonly id: Id;
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly price: string;
  readonly compare_at_price: string | null;
  readonly option1: string | null;
  readonly option2: string | null;
  readonly option3: string | null;
  readonly image_id: Id | null;
  readonly inventory_item_id: Id;
  readonly inventory_management?: string | null;
  readonly inventory_policy: "deny" | "continue";
  readonly inventory_quantity: number;
  readonly requires_shipping?: boolean;
  readonly taxable: boolean;
  readonly grams?: number;
}

interface ShopifyLevel {
  readonly inventory_item_id: Id;
  readonly location_id: Id;
  readonly available: number | null;
}

function productRow(product: ShopifyProduct, decimals: number): object {
  const hasOptions = product.variants.length > 1 || product.variants[0]?.option1 !== "Default Title";
  const sources = new Map<Id, string>(product.images.map(({ id, src }) => [id, src]));
  return {
    kind: "product",
    id: product.id,
    handle: product.handle,
    title: product.title,
    vendor: product.vendor,
    product_type: product.product_type,
    tags: product.tags.split(",").flatMap((tag) => tag.trim() || []),
    description: product.body_html ?? "",
    published: product.status === "active" && product.published_at !== null,
    options: hasOptions ? product.options.map(({ name }) => name) : [],
    images: product.images.map(({ src, alt, width, height }) => ({ src, width, height, ...optionalField("alt", alt) })),
    variants: product.variants.map((variant) => ({
      id: variant.id,
      price: minorUnits(variant.price, decimals),
      ...optionalField("compare_at_price", variant.compare_at_price && minorUnits(variant.compare_at_price, decimals)),
      ...optionalField("sku", variant.sku),
      ...optionalField("barcode", variant.barcode),
      options: hasOptions
        ? [variant.option1, variant.option2, variant.option3]
            .slice(0, product.options.length)
            .map((option) => option ?? "")
        : [],
      // null means that stock is not tracked. Newer API versions omit the field and track stock.
      ...(variant.inventory_management === null ? {} : { inventory_quantity: variant.inventory_quantity }),
      inventory_policy: variant.inventory_policy,
      requires_shipping: variant.requires_shipping ?? true,
      taxable: variant.taxable,
      grams: variant.grams ?? 0,
      ...optionalField("image", sources.get(variant.image_id ?? 0)),
    })),
  };
}

/**
 * Returns the change of a stock level. Shopify reports levels per location, and their sum is for sale. The level of an
 * unknown item is stored until its product arrives.
 */
function stockChange(level: ShopifyLevel, memory: ShopifyMemory): readonly Change[] {
  const { inventory_item_id: item, location_id: place, available } = level;
  const levels = memory.levels.get(item) ?? new Map<Id, number>();
  memory.levels.set(item, levels.set(place, available ?? 0));
  const variant = memory.variants.get(item);
  if (variant === undefined) return [];
  const quantity = levels.values().reduce((sum, quantity) => sum + quantity, 0);
  return [{ path: "/admin/stock", lines: [{ variant_id: variant, quantity }] }];
}
