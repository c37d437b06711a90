import { hash } from "node:crypto";
import { type Cart, emptyCart } from "../../cart/cart.ts";
import { sellable } from "../../catalog/stock.ts";
import { isInTime } from "../../pricing/discount-rules.ts";
import { Problem } from "../../problem.ts";
import { type Poll, poll } from "../../runtime/poll.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { EventStream } from "../wire/event-streams.ts";

/** Carts that pages have open, each told what becomes of its cart: `{"revision": 7}` when the cart has changed, and the same revision again when prices, discounts
 *  (by an edit or by the clock) or stock of its lines have. */
export interface CartStreams {
  /** @param network a block of addresses  @throws Problem `overloaded` where there are too many streams: in all, of this cart, or of this network */
  admit(cartId: string, network: string): void;
  /** @param lastId of the last event that the client was told; absent: it is told where the cart stands  @returns ends it */
  follow(cart: Cart & { readonly id: string }, network: string, stream: EventStream, lastId?: string): () => void;
}

type OpenShop = Pick<Shop, "carts" | "snapshot" | "process">;

/** One look each second at all carts that are open here, however many pages show them; none where none is.
 *  @param most streams in this thread */
export function createCartStreams(shop: OpenShop, most: number): CartStreams {
  const open = new Map<string, OpenCart>();
  const networks = new Map<string, number>();
  let count = 0;
  let job: Poll | undefined;
  let seen: Seen | undefined;
  const seeNow = (): Seen => {
    const snapshot = shop.snapshot();
    const now = shop.process.now();
    const discounts = snapshot.catalog.automaticDiscounts().filter((discount) => isInTime(discount, now));
    return { snapshot, epoch: shop.snapshot().stock.epoch(), now, discounts: digest(JSON.stringify(discounts)) };
  };
  const lookAt = async (one: OpenCart, revision: number, now: Seen): Promise<void> => {
    const terms = termsOf(one.cart, now);
    const isOtherwise = terms !== one.terms;
    one.terms = terms;
    if (revision !== one.cart.revision) {
      one.cart = (await shop.carts.find(one.id)) ?? emptyCart;
      one.terms = termsOf(one.cart, now);
      tell(one);
    }
    if (isOtherwise) tell(one);
  };
  const lookAtAll = async (): Promise<void> => {
    const asked = [...open.values()];
    const now = seeNow();
    const isMoved = seen?.snapshot !== now.snapshot || seen.epoch !== now.epoch || seen.discounts !== now.discounts;
    const revisions = await revisionsOf(
      shop.carts,
      asked.map(({ id }) => id),
    );
    let lines = 0;
    for (const one of asked) {
      // One that is gone from the database is an empty one.
      const revision = revisions.get(one.id) ?? 0;
      // What a code gives may begin or end by the clock.
      if (!isMoved && revision === one.cart.revision && one.cart.discountCodes.length === 0) continue;
      lines += one.cart.lines.length;
      if (lines > LINES_AT_ONCE) {
        await shop.process.scheduler.yield("background");
        lines = 0;
      }
      await lookAt(one, revision, now);
    }
    seen = now;
    if (open.size > 0) return;
    // It refers to a whole catalog.
    seen = undefined;
    void job?.close();
    job = undefined;
  };
  return {
    admit(cartId, network) {
      const isFull =
        count >= most ||
        (open.get(cartId)?.streams.size ?? 0) >= MOST_OF_CART ||
        (networks.get(network) ?? 0) >= MOST_OF_NETWORK;
      if (isFull) throw new Problem("overloaded", TOO_MANY, [], { retryAfter: RETRY_AFTER });
    },
    follow(cart, network, stream, lastId) {
      const now = seeNow();
      const terms = termsOf(cart, now);
      const one = open.get(cart.id) ?? { id: cart.id, streams: new Set<EventStream>(), cart, terms };
      const isNews = one.cart.revision !== cart.revision;
      one.cart = cart;
      one.terms = terms;
      if (isNews) tell(one);
      open.set(cart.id, one);
      one.streams.add(stream);
      count += 1;
      networks.set(network, (networks.get(network) ?? 0) + 1);
      job ??= poll({ name: "reading open carts", everyMs: LOOK_EVERY, log: shop.process.log }, lookAtAll);
      if (lastId !== idOf(one)) send(one, stream);
      return () => {
        one.streams.delete(stream);
        if (one.streams.size === 0 && open.get(one.id) === one) open.delete(one.id);
        count -= 1;
        const left = (networks.get(network) ?? 0) - 1;
        if (left > 0) networks.set(network, left);
        else networks.delete(network);
      };
    },
  };
}

interface OpenCart {
  readonly id: string;
  readonly streams: Set<EventStream>;
  /** As it was told last. */
  cart: Cart;
  /** @see termsOf */
  terms: string;
}

/** What carts were looked at with. */
interface Seen {
  readonly snapshot: Snapshot;
  /** Of the stock. */
  readonly epoch: number;
  readonly now: number;
  /** Those that apply by themselves, by now. */
  readonly discounts: string;
}

function tell(one: OpenCart): void {
  for (const stream of one.streams) send(one, stream);
}

function send(one: OpenCart, stream: EventStream): void {
  stream.send("cart", JSON.stringify({ revision: one.cart.revision }), idOf(one));
}

function idOf({ cart, terms }: OpenCart): string {
  return `${cart.revision}-${terms}`;
}

/** Of those that are still there. */
async function revisionsOf(carts: Shop["carts"], ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const others: string[] = [];
  for (const id of ids) {
    const cart = carts.findCached?.(id);
    if (cart === undefined) others.push(id);
    else found.set(id, cart.revision);
  }
  if (others.length > 0) for (const [id, revision] of await carts.revisions(others)) found.set(id, revision);
  return found;
}

/** By what the catalogue and the stock say, a cart costs and holds the same as long as this is the same. Stock counts as far as a page may show it: of what there is
 *  plenty of, a sale elsewhere is no news. */
function termsOf({ lines, discountCodes }: Cart, { snapshot: { catalog }, now, discounts }: Seen): string {
  const quantities = new Map<string, number>();
  for (const { variantId, quantity } of lines) quantities.set(variantId, (quantities.get(variantId) ?? 0) + quantity);
  const offers = [...quantities].map(([id, quantity]) => {
    const variant = catalog.variant(id)?.variant;
    if (variant === undefined) return "";
    return `${variant.price} ${variant.compareAtPrice} ${Math.min(sellable(variant), quantity + FEW_LEFT)}`;
  });
  const codes = discountCodes.map((code) => {
    const discount = catalog.discount(code);
    return discount !== undefined && isInTime(discount, now) ? JSON.stringify(discount) : "";
  });
  return digest([discounts, ...codes, ...offers].join("\n"));
}

function digest(text: string): string {
  return hash("sha1", text, "base64url").slice(0, 12);
}

/** Milliseconds from one look to the next. */
const LOOK_EVERY = 1_000;
/** Lines that are looked at in one turn of the event loop. */
const LINES_AT_ONCE = 500;
/** Units beyond those in the cart up to which it counts how many are left. */
const FEW_LEFT = 10;
/** Streams of one cart, and of one network: pages of some devices, and of an office's people. */
const MOST_OF_CART = 5;
const MOST_OF_NETWORK = 20;
/** Seconds. */
const RETRY_AFTER = 60;
const TOO_MANY = "Too many open carts are followed already: read the cart when it is shown again, and ask later.";
