import { type Change, minorUnits, optionalField } from "./change.ts";

/**
 * Translates a webhook to changes.
 * @param topic header `X-WC-Webhook-Topic`
 * @param options.variations reads all pages of `/wp-json/wc/v3/products/<id>/variations?per_page=100` for a variable
 * product, whose webhook contains only ids
 */
export async function fromWooCommerce(
  topic: string,
  payload: unknown,
  options: {
    readonly decimals: number;
    readonly variations: (product: number) => Promise<readonly WooVariation[]>;
  },
): Promise<readonly Change[]> {
  if (topic === "product.deleted") {
    const { id } = payload as { readonly id: number };
    return [{ path: "/admin/catalog", lines: [{ delete: { kind: "product", id } }] }];
  }
  if (!["product.created", "product.updated", "product.restored"].includes(topic)) return [];
  const product = payload as WooProduct;
  const variations = product.type === "variable" ? await options.variations(product.id) : [];
  // Items without a price or without variations are not for sale.
  const soldItems = (product.type === "variable" ? variations : [product]).filter(({ price }) => price !== "");
  if (soldItems.length === 0)
    return [{ path: "/admin/catalog", lines: [{ delete: { kind: "product", id: product.id } }] }];
  return [{ path: "/admin/catalog", lines: [productRow(product, soldItems, options.decimals)] }];
}

/** Fields shared by products and variations. */
export interface WooVariation {
  readonly id: number;
  readonly sku: string;
  readonly price: string;
  readonly regular_price: string;
  readonly manage_stock: boolean | "parent";
  readonly stock_quantity: number | null;
  readonly stock_status: "instock" | "outofstock" | "onbackorder";
  readonly backorders: "no" | "notify" | "yes";
  readonly weight: string;
  readonly virtual: boolean;
  readonly tax_status: "taxable" | "shipping" | "none";
  readonly attributes: readonly { readonly name: string; readonly option?: string }[];
  readonly image?: WooImage | null;
}

interface WooImage {
  readonly src: string;
  readonly alt: string;
}

interface WooProduct extends Omit<WooVariation, "attributes" | "image"> {
  readonly name: string;
  readonly slug: string;
  readonly type: string;
  readonly status: string;
  readonly catalog_visibility: string;
  readonly description: string;
  readonly short_description: string;
  readonly categories: readonly { readonly name: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly images: readonly WooImage[];
  readonly attributes: readonly { readonly name: string; readonly variation: boolean }[];
}

const GRAMS_PER_KG = 1_000;

function productRow(product: WooProduct, soldItems: readonly (WooVariation | WooProduct)[], decimals: number): object {
  const isVariable = product.type === "variable";
  const names = isVariable ? product.attributes.filter(({ variation }) => variation).map(({ name }) => name) : [];
  const images = [...product.images];
  for (const item of soldItems)
    if ("image" in item && item.image && !images.some(({ src }) => src === item.image?.src)) images.push(item.image);
  return {
    kind: "product",
    id: product.id,
    handle: product.slug,
    title: product.name,
    product_type: product.categories[0]?.name ?? "",
    tags: product.tags.map(({ name }) => name),
    description: product.description || product.short_description,
    published: product.status === "publish" && product.catalog_visibility !== "hidden",
    options: names,
    images: images.map(({ src, alt }) => ({ src, ...optionalField("alt", alt) })),
    variants: soldItems.map((variation) => {
      const price = minorUnits(variation.price, decimals);
      const regular = minorUnits(variation.regular_price || variation.price, decimals);
      const options = names.map(
        (name) =>
          variation.attributes.find(
            (one): one is { name: string; option: string } => one.name === name && "option" in one,
          )?.option ?? "",
      );
      return {
        id: variation.id,
        price,
        ...(regular > price ? { compare_at_price: regular } : {}),
        ...optionalField("sku", variation.sku),
        options,
        ...stockOf(variation, product),
        inventory_policy: variation.backorders === "no" ? "deny" : "continue",
        requires_shipping: !variation.virtual,
        taxable: variation.tax_status === "taxable",
        grams: Math.round(Number(variation.weight || product.weight || 0) * GRAMS_PER_KG),
        ...optionalField("image", "image" in variation ? variation.image?.src : undefined),
      };
    }),
  };
}

/** Untracked stock has only two states: in stock or not. */
function stockOf(
  variation: Pick<WooVariation, "manage_stock" | "stock_quantity" | "stock_status">,
  product: WooProduct,
): object {
  const stockSource = variation.manage_stock === "parent" ? product : variation;
  if (stockSource.manage_stock === true) return { inventory_quantity: stockSource.stock_quantity ?? 0 };
  return variation.stock_status === "outofstock" ? { inventory_quantity: 0 } : {};
}
