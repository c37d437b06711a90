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

/** A write of the main cart by one visitor. */
export interface VisitorWrite {
  /** undefined if the visitor's cookies open no cart. */
  readonly cookieId: string | undefined;
  /** Identifies the visitor, so that their first writes find one cart; undefined if the visitor is anonymous. */
  readonly firstWriteKey: string | undefined;
  readonly key?: WriteKey;
  readonly edit: (cart: StoredCart) => Edit<StoredCart>;
  readonly answer: (edited: Edit<StoredCart>) => WriteResponse | Promise<WriteResponse>;
}

/** A write's response without the sections, as JSON that is safe in HTML. */
export interface WriteResponse {
  readonly cart: CartText;
  /** An array. */
  readonly issues: string;
  /** An object with the fields next to the cart's own. */
  readonly extra: string;
}

/**
 * Applies a write to the visitor's cart, which is created if missing. If the key was applied before, only finds its
 * response.
 * @returns the response, the cart's id unless there is no cart, and the cart for the sections
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
      const recorded = await withDeadline(carts.findApplied([key], undefined, now), at.beginBy);
      const before = findReplay(recorded, key, undefined);
      if (before !== undefined) return replay(shop, before);
    }
    // A write that is rejected or changes nothing creates no cart: apply it to a new cart in memory first.
    const empty = { ...emptyCart, id: fresh.id, checkoutId: fresh.checkoutId };
    const tried = edit(empty);
    if (tried.cart === empty && key === undefined) return show(visit, tried);
    // The result for one new cart is valid for every other.
    edit = (cart) =>
      cart.revision > 0 || tried.cart === empty
        ? visit.edit(cart)
        : { ...tried, cart: { ...tried.cart, id: cart.id, checkoutId: cart.checkoutId } };
    if (tried.cart !== empty && firstWriteKey !== undefined) {
      // Fast path: another first write of the same visitor is rare, so cart and claim are one commit.
      if (key === undefined) {
        const created = await carts.create(
          { ...tried, cart: { ...tried.cart, id: fresh.id, checkoutId: fresh.checkoutId } },
          at,
          firstWriteKey,
        );
        if (created !== undefined) return show(visit, created);
      }
      // A claim changes no cart: a late one is harmless.
      const id = await withDeadline(carts.claimFirst(firstWriteKey, fresh.id, now), at.beginBy);
      ids = { ...fresh, id, isNew: id === fresh.id };
    }
  }
  if (key === undefined) return show(visit, await carts.edit(ids, at, edit));
  let answer: WriteResponse | undefined;
  const { applied, edited } = await carts.editOnce(ids, at, edit, {
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

/** The stored response of a write, with the current cart for the sections. */
function replay({ carts }: Pick<Shop, "carts">, { cartId, answer }: AppliedWrite): Applied {
  const cart = async (): Promise<Cart> => (cartId === undefined ? undefined : await carts.find(cartId)) ?? emptyCart;
  return { cartId, answer: unpack(answer), cart };
}

/** `lines` equals `items`: it is stored once, and a placeholder marks its position. */
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
