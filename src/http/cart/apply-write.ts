import { type Cart, emptyCart } from "../../cart/cart.ts";
import { newCartIds } from "../../cart/cart-ids.ts";
import type { StoredCart } from "../../cart/cart-store.ts";
import type { Edit } from "../../cart/edits/edit-context.ts";
import { type AppliedWrite, findReplay, type WriteKey } from "../../cart/writer/applied-write.ts";
import type { Shop } from "../../shop.ts";
import { withDeadline } from "../deadline.ts";
import type { CartText } from "../json/cart-text.ts";
import { inertJson } from "../json/inert-json.ts";
import type { StoreRequest } from "../wire/request.ts";

/** A visitor's write to the main cart. */
export interface VisitorWrite {
  /** Id of the cart in the visitor's cookie; undefined without a valid cookie. */
  readonly cookieId: string | undefined;
  /** Key that maps concurrent first writes of one visitor to the same cart; undefined for anonymous visitors. */
  readonly firstWriteKey: string | undefined;
  readonly key?: WriteKey;
  readonly edit: (cart: StoredCart) => Edit<StoredCart>;
  readonly answer: (edited: Edit<StoredCart>) => WriteResponse | Promise<WriteResponse>;
}

/** The response of a write without its sections, as JSON that is safe in HTML. */
export interface WriteResponse {
  readonly cart: CartText;
  /** JSON array of the cart's issues. */
  readonly issues: string;
  /** JSON object of additional response fields. */
  readonly extra: string;
}

/**
 * Applies a write to the visitor's cart, and creates the cart if necessary. If the idempotency key was used before,
 * returns the stored response instead.
 * @returns the response, the id of the cart if there is one, and the cart for the sections
 */
export async function applyWrite(
  shop: Pick<Shop, "carts" | "process">,
  { now }: Pick<StoreRequest, "now">,
  visit: VisitorWrite,
): Promise<Applied> {
  const { cookieId, firstWriteKey, key } = visit;
  const { carts } = shop;
  const at = { now, beginBy: carts.beginBy() };
  const fresh = newCartIds(shop.process.newId, now, cookieId);
  const isKnown = cookieId !== undefined;
  let ids = fresh;
  let edit = visit.edit;
  if (!isKnown) {
    if (key !== undefined) {
      const recorded = await withDeadline(carts.findAppliedWrites([key], undefined, now), at.beginBy);
      const before = findReplay(recorded, key, undefined);
      if (before !== undefined) return replay(shop, before);
    }
    // A rejected or empty write must not create a cart, so the edit is first tried on a new cart in memory.
    const empty = { ...emptyCart, id: fresh.id, checkoutId: fresh.checkoutId };
    const tried = edit(empty);
    if (tried.cart === empty && key === undefined) return show(visit, tried);
    // The result for one new cart is valid for every new cart, so the edit does not run again.
    edit = (cart) =>
      cart.revision > 0 || tried.cart === empty
        ? visit.edit(cart)
        : { ...tried, cart: { ...tried.cart, id: cart.id, checkoutId: cart.checkoutId } };
    if (tried.cart !== empty && firstWriteKey !== undefined) {
      // Fast path: concurrent first writes of one visitor are rare, so the cart and its claim are committed together.
      if (key === undefined) {
        const created = await carts.create(
          { ...tried, cart: { ...tried.cart, id: fresh.id, checkoutId: fresh.checkoutId } },
          at,
          firstWriteKey,
        );
        if (created !== undefined) return show(visit, created);
      }
      // A claim does not change the cart, so a late claim is harmless.
      const id = await withDeadline(carts.claimFirstCart(firstWriteKey, fresh.id, now), at.beginBy);
      ids = { ...fresh, id, isNew: id === fresh.id };
    }
  }
  if (key === undefined) return show(visit, await carts.edit(ids, at, edit));
  let answer: WriteResponse | undefined;
  const { applied, result: edited } = await carts.editOnce(ids, at, edit, {
    key,
    isKnown,
    async answer(result) {
      answer = await visit.answer(result);
      return pack(answer);
    },
  });
  if (edited === undefined || answer === undefined) return replay(shop, applied);
  return { cartId: applied.cartId, answer, cart: async () => edited.cart };
}

interface Applied {
  readonly cartId: string | undefined;
  readonly answer: WriteResponse;
  readonly cart: () => Promise<Cart>;
}

function show(visit: VisitorWrite, edited: Edit<StoredCart>): Applied | Promise<Applied> {
  const { cart } = edited;
  const cartId = cart.revision > 0 ? cart.id : undefined;
  const showAs = (answer: WriteResponse): Applied => ({ cartId, answer, cart: async () => cart });
  const answer = visit.answer(edited);
  return answer instanceof Promise ? answer.then(showAs) : showAs(answer);
}

/** Returns the stored response of a write, with the current cart for the sections. */
function replay({ carts }: Pick<Shop, "carts">, { cartId, response: answer }: AppliedWrite): Applied {
  const cart = async (): Promise<Cart> => (cartId === undefined ? undefined : await carts.find(cartId)) ?? emptyCart;
  return { cartId, answer: unpack(answer), cart };
}

/** `lines` equals `items`, so the array is stored once and a placeholder marks the second position. */
function pack({ cart, issues, extra }: WriteResponse): string {
  return `{"cart":{${cart.fields},"items":${cart.items},"lines":null},"issues":${issues},"extra":${extra}}`;
}

function unpack(packed: string): WriteResponse {
  const { cart, issues, extra } = JSON.parse(packed) as Packed;
  const { items, lines: _, ...fields } = cart;
  return {
    cart: { fields: inertJson(fields).slice(1, -1), items: inertJson(items) },
    issues: inertJson(issues),
    extra: inertJson(extra),
  };
}

interface Packed {
  readonly cart: Readonly<Record<string, unknown>> & { readonly items: readonly unknown[] };
  readonly issues: readonly unknown[];
  readonly extra: object;
}
