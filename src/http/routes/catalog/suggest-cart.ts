import type { Cart } from "../../../cart/cart.ts";
import { addItems } from "../../../cart/edits/add-items.ts";
import type { EditContext } from "../../../cart/edits/edit-context.ts";
import type { PricedCart } from "../../../cart/priced-cart.ts";
import { formatPublicId } from "../../../catalog/presenters/presenter.ts";
import type { Product, Variant } from "../../../catalog/product.ts";
import { isAvailable } from "../../../catalog/stock.ts";
import { findFreeShippingTotal } from "../../../pricing/shipping-rates.ts";
import { createFieldProblem, Problem } from "../../../problem.ts";
import { createEditContext, type WriteServices } from "../../cart/cart-write.ts";
import { findCart, priceCartForRequest } from "../../cart/load-cart.ts";
import { getSnapshot } from "../../checkout/session-reservations.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/**
 * Handles `GET /search/suggest/cart.json?products=1,2`: returns how many units of each product are in the cart, and
 * whether adding the product reaches free shipping. It is separate from the suggestions, because these are cached for
 * all visitors.
 */
export async function previewCart(shop: WriteServices, request: StoreRequest): Promise<Reply> {
  const ids = parseIds(request.query.get("products"));
  const snapshot = await getSnapshot(shop, request);
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const cart = await findCart(shop, request);
  const priceChangedCart = async (changedCart: Cart): Promise<PricedCart> =>
    priceCartForRequest(shop, changedCart, snapshot, customer, request);
  const pricedCart = await priceChangedCart(cart);
  const context = createEditContext(shop, request, snapshot, customer);
  const freeShippingThreshold = findFreeShippingTotal(shop.config.shipping) ?? 0;
  const isBelowThreshold = pricedCart.hasFreeShipping !== true && pricedCart.total < freeShippingThreshold;
  const products: unknown[] = [];
  for (const id of ids) {
    const product = snapshot.catalog.productById(id);
    if (product === undefined) continue;
    const productLines = pricedCart.lines.filter((line) => line.product.id === product.id);
    const extendedCart = isBelowThreshold
      ? addOneToCart(cart, product, freeShippingThreshold - pricedCart.total, context)
      : undefined;
    const changedPricedCart = extendedCart === undefined ? undefined : await priceChangedCart(extendedCart);
    products.push({
      id: formatPublicId(product.id),
      in_cart: productLines.reduce((sum, { line }) => sum + line.quantity, 0),
      reaches_free_delivery:
        changedPricedCart?.requiresShipping === true && changedPricedCart.total >= freeShippingThreshold,
    });
  }
  return createJsonReply(200, { products });
}

/** Maximum number of products in a request, which is more than `/search/suggest` ever returns. */
const MAX_PRODUCTS = 20;

/**
 * Adds the product's cheapest available variant to a copy of the cart. Returns undefined if the variant cannot be
 * added, or costs less than `missingAmount`, the amount that is missing for free shipping.
 */
function addOneToCart(cart: Cart, product: Product, missingAmount: number, context: EditContext): Cart | undefined {
  const [variant] = product.variants.filter(isAvailable).sort((a, b) => costOf(a) - costOf(b));
  if (variant === undefined || costOf(variant) < missingAmount) return undefined;
  const item = { variantId: variant.id, quantity: variant.quantityRule.min, properties: {} };
  try {
    return addItems(cart, [{ ...item, field: "products" }], context).cart;
  } catch (error) {
    // The variant cannot be added, for example because it is sold out.
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function costOf({ price, quantityRule }: Variant): number {
  return price * quantityRule.min;
}

/** Parses the product ids in the query.  @throws Problem `validation_failed` */
function parseIds(text: string | null): readonly string[] {
  const ids = [...new Set((text ?? "").split(",").filter((id) => id !== ""))];
  if (ids.length > 0 && ids.length <= MAX_PRODUCTS) return ids;
  throw createFieldProblem(
    "products",
    "count",
    `Name from 1 to ${MAX_PRODUCTS} products by their ids, as in "products=1,2".`,
  );
}
