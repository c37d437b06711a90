import { createCartIds } from "../../../cart/cart-ids.ts";
import type { StoredCart } from "../../../cart/cart-store.ts";
import type { Edit } from "../../../cart/edits/edit-context.ts";
import { buyNow as buyNowEdit } from "../../../checkout/buy-now.ts";
import { toCheckoutPath } from "../../../checkout/checkout.ts";
import { readRequestBody } from "../../bodies/body.ts";
import { parseBuyNowBody } from "../../cart/add-bodies.ts";
import { createEditContext, type WriteServices } from "../../cart/cart-write.ts";
import { createCodeAttemptLimit } from "../../cart/code-attempts.ts";
import { priceCartAfterWrite } from "../../cart/load-cart.ts";
import { createWriteKey, readKeyHeader } from "../../cart/write-key.ts";
import { getSnapshot } from "../../checkout/session-reservations.ts";
import { createCartCookie, requireCartId } from "../../sessions/cart-session.ts";
import { checkCsrf } from "../../sessions/csrf-session.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { trackItems } from "../../track.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";

/**
 * Handles `POST /api/cart/buyNowCheckout`: starts an express checkout of one item. It uses a separate cart, so the main
 * cart does not change.
 * @see spec 4.7
 */
export async function buyNow(shop: WriteServices, request: StoreRequest): Promise<Reply> {
  const writer = await checkCsrf(shop, request);
  const cookieId = requireCartId(shop, request, "buy_now");
  const idempotencyKey = readKeyHeader(request);
  const body = await readRequestBody(request, shop.config.compat);
  const { item, discountCode } = parseBuyNowBody(body, shop.config.cart.maxQuantity);
  const snapshot = await getSnapshot(shop, request, "buy_now");
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const codeAttempts = createCodeAttemptLimit(shop, request, cookieId);
  const context = createEditContext(shop, request, snapshot, customer, codeAttempts.canTry);
  const key =
    idempotencyKey === undefined
      ? undefined
      : createWriteKey(shop, request, { key: idempotencyKey, body, kind: "buy_now", writer });
  const ids = createCartIds(shop, request.now, { id: cookieId, key: key?.visitor });
  const createEdit = (cart: StoredCart): Edit<StoredCart> => buyNowEdit(cart, [item], discountCode, context);
  const createAnswer = async ({ cart }: Edit<StoredCart>): Promise<string> => {
    if (cart.discountCodes.length > 0)
      codeAttempts.countWrongCodes((await priceCartAfterWrite(shop, cart, context)).inapplicable);
    return toCheckoutPath(formatLocalePrefix(request.locale, shop.config.locales), cart.checkoutId);
  };
  const createReply = (id: string, url: string): Reply => {
    trackItems(shop, request, "added", [item]);
    return createJsonReply(
      200,
      { checkout_url: url },
      { "set-cookie": [createCartCookie(shop, request, "buy_now", { id })] },
    );
  };

  const writeTiming = { now: request.now, startDeadline: shop.carts.startDeadline() };
  if (key === undefined) {
    const committedEdit = await shop.carts.edit(ids, writeTiming, createEdit);
    return createReply(committedEdit.cart.id, await createAnswer(committedEdit));
  }
  const hasCookie = cookieId !== undefined;
  const { applied: appliedWrite } = await shop.carts.editOnce(ids, writeTiming, createEdit, {
    key,
    isKnown: hasCookie,
    formatAnswer: createAnswer,
  });
  return createReply(appliedWrite.cartId ?? ids.id, appliedWrite.response);
}
