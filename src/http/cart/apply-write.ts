import { type Cart, emptyCart } from "../../cart/cart.ts";
import { newCartIds } from "../../cart/cart-ids.ts";
import type { StoredCart } from "../../cart/cart-store.ts";
import type { Edit } from "../../cart/edits/edit-context.ts";
import { type AppliedWrite, findReplay, type WriteKey } from "../../cart/writer/applied-write.ts";
import type { Shop } from "../../shop.ts";
import { withDeadline } from "../deadline.ts";
import type { SerializedCart } from "../json/cart-text.ts";
import { toSafeJson } from "../json/inert-json.ts";
import type { StoreRequest } from "../wire/request.ts";

/** A visitor's write to the main cart. */
export interface VisitorWrite {
  /** Id of the cart in the visitor's cookie; undefined without a valid cookie. */
  readonly cookieId: string | undefined;
  /** Key that maps concurrent first writes of one visitor to the same cart; undefined for anonymous visitors. */
  readonly firstWriteKey: string | undefined;
  readonly key?: WriteKey;
  readonly edit: (cart: StoredCart) => Edit<StoredCart>;
  readonly createResponse: (edited: Edit<StoredCart>) => WriteResponse | Promise<WriteResponse>;
}

/** The response of a write without its sections, as JSON that is safe in HTML. */
export interface WriteResponse {
  readonly cart: SerializedCart;
  /** JSON array of the cart's issues. */
  readonly issues: string;
  /** JSON object of additional response fields. */
  readonly extraFields: string;
}

/**
 * Applies a write to the visitor's cart, and creates the cart if necessary. If the idempotency key was used before,
 * returns the stored response instead.
 * @returns the response, the id of the cart if there is one, and the cart for the sections
 */
export async function applyWrite(
  shop: Pick<Shop, "carts" | "process">,
  { now }: Pick<StoreRequest, "now">,
  visitorWrite: VisitorWrite,
): Promise<AppliedResponse> {
  const { cookieId, firstWriteKey, key } = visitorWrite;
  const { carts } = shop;
  const timing = { now, startDeadline: carts.startDeadline() };
  const newIds = newCartIds(shop.process.newId, now, cookieId);
  const isKnown = cookieId !== undefined;
  let ids = newIds;
  let edit = visitorWrite.edit;
  if (!isKnown) {
    if (key !== undefined) {
      const appliedWrites = await withDeadline(carts.findAppliedWrites([key], undefined, now), timing.startDeadline);
      const priorWrite = findReplay(appliedWrites, key, undefined);
      if (priorWrite !== undefined) return replay(shop, priorWrite);
    }
    // A rejected or empty write must not create a cart, so the edit is first tried on a new cart in memory.
    const newCart = { ...emptyCart, id: newIds.id, checkoutId: newIds.checkoutId };
    const trialEdit = edit(newCart);
    if (trialEdit.cart === newCart && key === undefined) return resultOf(visitorWrite, trialEdit);
    // The result for one new cart is valid for every new cart, so the edit does not run again.
    edit = (cart) =>
      cart.revision > 0 || trialEdit.cart === newCart
        ? visitorWrite.edit(cart)
        : { ...trialEdit, cart: { ...trialEdit.cart, id: cart.id, checkoutId: cart.checkoutId } };
    if (trialEdit.cart !== newCart && firstWriteKey !== undefined) {
      // Fast path: concurrent first writes of one visitor are rare, so the cart and its claim are committed together.
      if (key === undefined) {
        const createdEdit = await carts.create(
          { ...trialEdit, cart: { ...trialEdit.cart, id: newIds.id, checkoutId: newIds.checkoutId } },
          timing,
          firstWriteKey,
        );
        if (createdEdit !== undefined) return resultOf(visitorWrite, createdEdit);
      }
      // A claim does not change the cart, so a late claim is harmless.
      const id = await withDeadline(carts.claimFirstCart(firstWriteKey, newIds.id, now), timing.startDeadline);
      ids = { ...newIds, id, isNew: id === newIds.id };
    }
  }
  if (key === undefined) return resultOf(visitorWrite, await carts.edit(ids, timing, edit));
  let response: WriteResponse | undefined;
  const { applied: appliedWrite, result: committedEdit } = await carts.editOnce(ids, timing, edit, {
    key,
    isKnown,
    async answer(result) {
      response = await visitorWrite.createResponse(result);
      return serializeResponse(response);
    },
  });
  if (committedEdit === undefined || response === undefined) return replay(shop, appliedWrite);
  return { cartId: appliedWrite.cartId, response, cart: async () => committedEdit.cart };
}

interface AppliedResponse {
  readonly cartId: string | undefined;
  readonly response: WriteResponse;
  readonly cart: () => Promise<Cart>;
}

function resultOf(visitorWrite: VisitorWrite, edit: Edit<StoredCart>): AppliedResponse | Promise<AppliedResponse> {
  const { cart } = edit;
  const cartId = cart.revision > 0 ? cart.id : undefined;
  const toResult = (response: WriteResponse): AppliedResponse => ({ cartId, response, cart: async () => cart });
  const response = visitorWrite.createResponse(edit);
  return response instanceof Promise ? response.then(toResult) : toResult(response);
}

/** Returns the stored response of a write, with the current cart for the sections. */
function replay({ carts }: Pick<Shop, "carts">, { cartId, response }: AppliedWrite): AppliedResponse {
  const cart = async (): Promise<Cart> => (cartId === undefined ? undefined : await carts.find(cartId)) ?? emptyCart;
  return { cartId, response: parseResponse(response), cart };
}

/** `lines` equals `items`, so the array is stored once and a placeholder marks the second position. */
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
