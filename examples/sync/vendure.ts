import { type Change, optionalField } from "./change.ts";

/** Products that a `ProductEvent`, a `ProductVariantEvent`, or a `StockMovementEvent` concerns, as sent by a plugin. */
export interface VendureEvent {
  /** Ids of the product, or of the variants' products. */
  readonly productIds: readonly (string | number)[];
  /** Type of the event. The deletion of a variant is an update of its product. */
  readonly type: "created" | "updated" | "deleted";
}

/**
 * Translates an event to changes.
 * @param options.product reads a product with the admin API's query `product`; undefined if it does not exist
 */
export async function fromVendure(
  { productIds, type }: VendureEvent,
  options: { readonly product: (id: string | number) => Promise<VendureProduct | undefined> },
): Promise<readonly Change[]> {
  const lines: object[] = [];
  for (const id of new Set(productIds)) {
    const product = type === "deleted" ? undefined : await options.product(id);
    const row = product && productRow(product);
    lines.push(row ?? { delete: { kind: "product", id: String(id) } });
  }
  return [{ path: "/admin/catalog", lines }];
}

export interface VendureProduct {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly assets: readonly { readonly source: string; readonly width: number; readonly height: number }[];
  readonly facetValues: readonly { readonly name: string; readonly facet: { readonly code: string } }[];
  readonly optionGroups: readonly { readonly id: string; readonly name: string }[];
  readonly variants: readonly VendureVariant[];
}

interface VendureVariant {
  readonly id: string;
  readonly sku: string;
  readonly enabled: boolean;
  /** Price in minor units. */
  readonly priceWithTax: number;
  readonly trackInventory: "TRUE" | "FALSE" | "INHERIT";
  readonly outOfStockThreshold: number;
  readonly stockLevels: readonly { readonly stockOnHand: number; readonly stockAllocated: number }[];
  readonly options: readonly { readonly name: string; readonly groupId: string }[];
}

/** Returns the row of a product, or undefined if no variant is for sale. */
function productRow(product: VendureProduct): object | undefined {
  const variants = product.variants.filter(({ enabled }) => enabled);
  if (variants.length === 0) return undefined;
  const facetValuesOf = (code: string) => product.facetValues.filter(({ facet }) => facet.code === code);
  return {
    kind: "product",
    id: product.id,
    handle: product.slug,
    title: product.name,
    ...optionalField("vendor", facetValuesOf("brand")[0]?.name),
    ...optionalField("product_type", facetValuesOf("category")[0]?.name),
    tags: product.facetValues.map(({ name }) => name),
    description: product.description,
    published: product.enabled,
    options: product.optionGroups.map(({ name }) => name),
    images: product.assets.map(({ source, width, height }) => ({ src: source, width, height })),
    variants: variants.map((variant) => ({
      // Variants and products have separate id sequences, so the prefix avoids conflicts.
      id: `variant-${variant.id}`,
      price: variant.priceWithTax,
      ...optionalField("sku", variant.sku),
      options: product.optionGroups.map(({ id }) => variant.options.find(({ groupId }) => groupId === id)?.name ?? ""),
      ...(variant.trackInventory === "FALSE" ? {} : { inventory_quantity: saleable(variant) }),
    })),
  };
}

/** Returns the unallocated stock above the threshold, which may be negative. */
function saleable({ stockLevels, outOfStockThreshold }: VendureVariant): number {
  const availableStock = stockLevels.reduce(
    (sum, { stockOnHand, stockAllocated }) => sum + stockOnHand - stockAllocated,
    0,
  );
  return availableStock - outOfStockThreshold;
}
