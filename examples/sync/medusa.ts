import { type Change, minorUnits, optionalField } from "./change.ts";

/** An event as Medusa passes it to a subscriber: `{ event: { name, data } }`. */
export interface MedusaEvent {
  readonly name: string;
  readonly data: { readonly id: string };
}

/** Fields for `query.graph` with the entity "product" and the event's id. */
export const medusaFields: readonly string[] = [
  "*",
  "images.*",
  "options.*",
  "tags.*",
  "type.*",
  "variants.*",
  "variants.options.*",
  "variants.options.option.*",
  "variants.prices.*",
  "variants.inventory_items.required_quantity",
  "variants.inventory_items.inventory.location_levels.*",
];

/**
 * Translates an event to changes.
 * @param options.product reads a product with {@link medusaFields}; undefined if it does not exist
 */
export async function fromMedusa(
  { name, data }: MedusaEvent,
  options: {
    /** Currency of the prices to use, such as "usd". */
    readonly currency: string;
    readonly decimals: number;
    readonly product: (id: string) => Promise<MedusaProduct | undefined>;
  },
): Promise<readonly Change[]> {
  if (!["product.created", "product.updated", "product.deleted"].includes(name)) return [];
  const product = name === "product.deleted" ? undefined : await options.product(data.id);
  const row = product && productRow(product, options);
  return [{ path: "/admin/catalog", lines: [row ?? { delete: { kind: "product", id: data.id } }] }];
}

export interface MedusaProduct {
  readonly id: string;
  readonly title: string;
  readonly handle: string;
  readonly description: string | null;
  readonly status: "draft" | "proposed" | "published" | "rejected";
  readonly type: { readonly value: string } | null;
  readonly tags: readonly { readonly value: string }[];
  readonly images: readonly { readonly url: string }[];
  readonly options: readonly { readonly id: string; readonly title: string }[];
  readonly variants: readonly MedusaVariant[];
}

interface MedusaVariant {
  readonly id: string;
  readonly title: string;
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly manage_inventory: boolean;
  readonly allow_backorder: boolean;
  readonly weight: number | null;
  readonly options: readonly { readonly value: string; readonly option: { readonly title: string } }[];
  /** Prices in major units, with decimals. */
  readonly prices: readonly { readonly amount: number; readonly currency_code: string }[];
  readonly inventory_items: readonly MedusaItem[];
}

interface MedusaItem {
  readonly required_quantity: number;
  readonly inventory: {
    readonly location_levels: readonly { readonly stocked_quantity: number; readonly reserved_quantity: number }[];
  };
}

/** Returns the row of a product, or undefined if it has no price in the currency. */
function productRow(
  product: MedusaProduct,
  { currency, decimals }: { readonly currency: string; readonly decimals: number },
): object | undefined {
  const variants = product.variants.flatMap((variant) => {
    const price = variant.prices.find(({ currency_code: code }) => code === currency)?.amount;
    if (price === undefined) return [];
    return {
      id: variant.id,
      price: minorUnits(price, decimals),
      ...optionalField("sku", variant.sku),
      ...optionalField("barcode", variant.barcode),
      options: product.options.map(
        ({ title }) => variant.options.find(({ option }) => option.title === title)?.value ?? "",
      ),
      ...(variant.manage_inventory ? { inventory_quantity: countSets(variant.inventory_items) } : {}),
      inventory_policy: variant.allow_backorder ? "continue" : "deny",
      grams: variant.weight ?? 0,
    };
  });
  if (variants.length === 0) return undefined;
  return {
    kind: "product",
    id: product.id,
    handle: product.handle,
    title: product.title,
    product_type: product.type?.value ?? "",
    tags: product.tags.map(({ value }) => value),
    description: product.description ?? "",
    published: product.status === "published",
    options: product.options.map(({ title }) => title),
    images: product.images.map(({ url }) => ({ src: url })),
    variants,
  };
}

/** Returns how many units of a variant its inventory items allow, over all locations. */
function countSets(items: readonly MedusaItem[]): number {
  const sets = items.map(({ required_quantity: requiredQuantity, inventory }) => {
    const levels = inventory.location_levels;
    const availableUnits = levels.reduce((sum, level) => sum + level.stocked_quantity - level.reserved_quantity, 0);
    return Math.floor(availableUnits / Math.max(1, requiredQuantity));
  });
  return sets.length === 0 ? 0 : Math.min(...sets);
}
