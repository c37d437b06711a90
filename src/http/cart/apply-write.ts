import { type Cart, emptyCart } from "../../cart/cart.ts";
import { type CartWriteIds, createCartIds } from "../../cart/cart-ids.ts";
import type { StoredCart } from "../../cart/cart-store.ts";
import type { Edit } from "../../cart/edits/edit-context.ts";
import { type AppliedWrite, findRepeatedWrite, type WriteKey } from "../../cart/writer/applied-write.ts";
import type { CartWriter } from "../../cart/writer/cart-writer.ts";
import type { WriteTiming } from "../../cart/writer/edit-queue.ts";
import type { Shop } from "../../shop.ts";
import { awaitWithDeadline } from "../deadline.ts";
import type { SerializedCart } from "../json/cart-text.ts";
import { toSafeJson } from "../json/inert-json.ts";
import type { StoreRequest } from "../wire/request.ts";

/** A visitor's write to the main cart. */
export interface VisitorCartWrite {
  /** Cart id from the visitor's cookie; undefined without a valid cookie. */
  readonly cookieId: string | undefined;
  /** Key by which concurrent first writes of one visitor create only one cart; undefined without a visitor cookie. */
  readonly firstWriteKey: string | undefined;
  readonly key?: WriteKey;
  readonly edit: (cart: StoredCart) => Edit<StoredCart>;
  readonly createResponse: (appliedEdit: Edit<StoredCart>) => WriteResponse | Promise<WriteResponse>;
}

/** Response of a cart write, without theme sections. All fields are JSON that is safe in HTML. */
export interface WriteResponse {
  readonly cart: SerializedCart;
  /** JSON array of problems with the cart, such as items that are sold out. */
  readonly issues: string;
  /** JSON object with the additional response fields of this endpoint. */
  readonly extraFields: string;
}

/**
 * Applies a write to the visitor's cart, and creates the cart if necessary. If the idempotency key was used before,
 * returns the stored response instead.
 */
export async function applyWrite(
  shop: Pick<Shop, "carts" | "process">,
  { now }: Pick<StoreRequest, "now">,
  visitorWrite: VisitorCartWrite,
): Promise<AppliedResponse> {
  const { cookieId, firstWriteKey, key } = visitorWrite;
  const { carts } = shop;
  const timing = { now, startDeadline: carts.startDeadline() };
  const ids = createCartIds(shop, now, { id: cookieId, key: firstWriteKey ?? key?.visitor });
  if (cookieId !== undefined) return commitEdit(carts, ids, timing, visitorWrite);
  if (key !== undefined) {
    const appliedWrites = await awaitWithDeadline(carts.findAppliedWrites([key], undefined, now), timing.startDeadline);
    const earlierWrite = findRepeatedWrite(appliedWrites, key, undefined);
    if (earlierWrite !== undefined) return replayWrite(earlierWrite);
  }
  // A rejected or empty write must not create a cart in the database, so the edit first runs on a new cart in memory.
  const newCart = { ...emptyCart, id: ids.id, checkoutId: ids.checkoutId };
  const firstEdit = visitorWrite.edit(newCart);
  const isEmptyWrite = firstEdit.cart === newCart;
  if (isEmptyWrite && key === undefined) return createWriteResult(visitorWrite, firstEdit);
  // The edit has the same result for every new cart, so the result is reused. The writer replaces its ids.
  const edit = (cart: StoredCart): Edit<StoredCart> =>
    cart.revision > 0 || isEmptyWrite ? visitorWrite.edit(cart) : firstEdit;
  const firstWrite = { ...visitorWrite, edit };
  if (isEmptyWrite || firstWriteKey === undefined) return commitEdit(carts, ids, timing, firstWrite);
  // Fast path: one transaction creates the cart and records it as this visitor's cart.
  if (key === undefined) {
    const newCartEdit = await carts.create(firstEdit, timing, firstWriteKey);
    if (newCartEdit !== undefined) return createWriteResult(visitorWrite, newCartEdit);
  }
  // The claim only records which cart belongs to the visitor, so it is harmless if it completes after the deadline.
  const id = await awaitWithDeadline(carts.claimFirstCart(firstWriteKey, ids.id, now), timing.startDeadline);
  return commitEdit(carts, { ...ids, id, isNew: id === ids.id }, timing, firstWrite);
}

/** Commits a write. With an idempotency key that was used before, returns the stored response instead. */
async function commitEdit(
  carts: CartWriter,
  ids: CartWriteIds,
  timing: WriteTiming,
  visitorWrite: VisitorCartWrite,
): Promise<AppliedResponse> {
  const { cookieId, key, edit } = visitorWrite;
  if (key === undefined) return createWriteResult(visitorWrite, await carts.edit(ids, timing, edit));
  let response: WriteResponse | undefined;
  const { applied: appliedWrite, result: committedEdit } = await carts.editOnce(ids, timing, edit, {
    key,
    isKnown: cookieId !== undefined,
    async formatAnswer(result) {
      response = await visitorWrite.createResponse(result);
      return serializeResponse(response);
    },
  });
  if (committedEdit === undefined || response === undefined) return replayWrite(appliedWrite);
  return { cartId: appliedWrite.cartId, response, cart: committedEdit.cart };
}

interface AppliedResponse {
  /** Undefined if the write created no cart. */
  readonly cartId: string | undefined;
  readonly response: WriteResponse;
  /** The cart after the write. Undefined if the response is that of an earlier write. */
  readonly cart: Cart | undefined;
}

async function createWriteResult(visitorWrite: VisitorCartWrite, edit: Edit<StoredCart>): Promise<AppliedResponse> {
  const { cart } = edit;
  const response = await visitorWrite.createResponse(edit);
  return { cartId: cart.revision > 0 ? cart.id : undefined, response, cart };
}

function replayWrite({ cartId, response }: AppliedWrite): AppliedResponse {
  return { cartId, response: parseResponse(response), cart: undefined };
}

/**
 * Serializes a response for the database. The fields `items` and `lines` are equal, so the array is stored only once.
 */
function serializeResponse({ cart, issues, extraFields }: WriteResponse): string {
  return `{"cart":{${cart.fields},"items":${cart.items},"lines":null},"issues":${issues},"extra":${extraFields}}`;
}

function parseResponse(json: string): WriteResponse {
  const { cart, issues, extra } = JSON.parse(json) as StoredResponse;
  const { items, lines: _, ...fields } = cart;
  return {
    cart: { fields: toSafeJson(fields).slice(1, -1), items: toSafeJson(items) },
    issues: toSafeJson(issues),
    extraFields: toSafeJson(extra),
  };
}

interface StoredResponse {
  readonly cart: Readonly<Record<string, unknown>> & { readonly items: readonly unknown[] };
  readonly issues: readonly unknown[];
  readonly extra: object;
}
