import { hash } from "node:crypto";
import { type Cart, emptyCart } from "../../cart/cart.ts";
import { unitsInStock } from "../../catalog/stock.ts";
import { isWithinDates } from "../../pricing/discount-rules.ts";
import { Problem } from "../../problem.ts";
import { type Poll, poll } from "../../runtime/poll.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { EventStream } from "../wire/event-streams.ts";

/**
 * Event streams that notify pages of cart changes. The event `{"revision": 7}` is sent when the cart changes. It is
 * sent again with the same revision when prices, discounts, or stock of its lines change.
 */
export interface CartStreams {
  /**
   * Checks the stream limits of the process, the cart, and the network.
   * @param network block of IP addresses
   * @throws Problem `overloaded` if a limit is reached
   */
  admit(cartId: string, network: string): void;
  /**
   * Starts sending the events of a cart.
   * @param lastId id of the last event that the client received; undefined to send the current state first
   * @returns a function that ends the stream
   */
  follow(cart: Cart & { readonly id: string }, network: string, stream: EventStream, lastId?: string): () => void;
}

type OpenShop = Pick<Shop, "carts" | "snapshot" | "process">;

/**
 * Creates the cart streams. While streams are open, it polls their carts once a second, independent of the number of
 * pages.
 * @param maxStreams maximum number of streams in this thread
 */
export function createCartStreams(shop: OpenShop, maxStreams: number): CartStreams {
  const open = new Map<string, OpenCart>();
  const networks = new Map<string, number>();
  let count = 0;
  let job: Poll | undefined;
  let seen: CheckInputs | undefined;
  const readInputs = (): CheckInputs => {
    const snapshot = shop.snapshot();
    const now = shop.process.now();
    const discounts = snapshot.catalog.automaticDiscounts().filter((discount) => isWithinDates(discount, now));
    return { snapshot, epoch: shop.snapshot().stock.epoch(), now, discounts: digest(JSON.stringify(discounts)) };
  };
  const checkCart = async (one: OpenCart, revision: number, now: CheckInputs): Promise<void> => {
    const terms = termsOf(one.cart, now);
    const haveTermsChanged = terms !== one.terms;
    one.terms = terms;
    if (revision !== one.cart.revision) {
      one.cart = (await shop.carts.find(one.id)) ?? emptyCart;
      one.terms = termsOf(one.cart, now);
      notify(one);
    }
    if (haveTermsChanged) notify(one);
  };
  const checkAll = async (): Promise<void> => {
    const carts = [...open.values()];
    const now = readInputs();
    const haveInputsChanged =
      seen?.snapshot !== now.snapshot || seen.epoch !== now.epoch || seen.discounts !== now.discounts;
    const revisions = await revisionsOf(
      shop.carts,
      carts.map(({ id }) => id),
    );
    let lines = 0;
    for (const one of carts) {
      // A cart that the database no longer contains counts as empty.
      const revision = revisions.get(one.id) ?? 0;
      // A discount code may start or expire by the clock, without a change of the cart.
      if (!haveInputsChanged && revision === one.cart.revision && one.cart.discountCodes.length === 0) continue;
      lines += one.cart.lines.length;
      if (lines > LINES_PER_SLICE) {
        await shop.process.scheduler.yield("background");
        lines = 0;
      }
      await checkCart(one, revision, now);
    }
    seen = now;
    if (open.size > 0) return;
    // Releases the snapshot, which refers to an entire catalog.
    seen = undefined;
    void job?.close();
    job = undefined;
  };
  return {
    admit(cartId, network) {
      const isFull =
        count >= maxStreams ||
        (open.get(cartId)?.streams.size ?? 0) >= MAX_PER_CART ||
        (networks.get(network) ?? 0) >= MAX_PER_NETWORK;
      if (isFull) throw new Problem("overloaded", TOO_MANY, [], { retryAfter: RETRY_AFTER });
    },
    follow(cart, network, stream, lastId) {
      const now = readInputs();
      const terms = termsOf(cart, now);
      const one = open.get(cart.id) ?? { id: cart.id, streams: new Set<EventStream>(), cart, terms };
      const hasNewRevision = one.cart.revision !== cart.revision;
      one.cart = cart;
      one.terms = terms;
      if (hasNewRevision) notify(one);
      open.set(cart.id, one);
      one.streams.add(stream);
      count += 1;
      networks.set(network, (networks.get(network) ?? 0) + 1);
      job ??= poll({ name: "reading open carts", everyMs: POLL_MS, log: shop.process.log }, checkAll);
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
  /** The cart at the time of the last event. */
  cart: Cart;
  /** Digest of prices and stock at the last event, from {@link termsOf}. */
  terms: string;
}

/** Current prices and stock, against which the carts are checked. */
interface CheckInputs {
  readonly snapshot: Snapshot;
  /** Version counter of the stock. */
  readonly epoch: number;
  readonly now: number;
  /** Currently active automatic discounts, as a string for comparison. */
  readonly discounts: string;
}

function notify(one: OpenCart): void {
  for (const stream of one.streams) send(one, stream);
}

function send(one: OpenCart, stream: EventStream): void {
  stream.send("cart", JSON.stringify({ revision: one.cart.revision }), idOf(one));
}

function idOf({ cart, terms }: OpenCart): string {
  return `${cart.revision}-${terms}`;
}

/** Returns the revisions of the carts that still exist, by cart id. */
async function revisionsOf(carts: Shop["carts"], ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const uncached: string[] = [];
  for (const id of ids) {
    const cart = carts.findCached?.(id);
    if (cart === undefined) uncached.push(id);
    else found.set(id, cart.revision);
  }
  if (uncached.length > 0) for (const [id, revision] of await carts.revisions(uncached)) found.set(id, revision);
  return found;
}

/**
 * Returns a digest of the catalog data and stock on which a cart's prices and availability depend. Stock above the
 * amount that a page may show is ignored.
 */
function termsOf({ lines, discountCodes }: Cart, { snapshot: { catalog }, now, discounts }: CheckInputs): string {
  const quantities = new Map<string, number>();
  for (const { variantId, quantity } of lines) quantities.set(variantId, (quantities.get(variantId) ?? 0) + quantity);
  const offers = [...quantities].map(([id, quantity]) => {
    const variant = catalog.variant(id)?.variant;
    if (variant === undefined) return "";
    return `${variant.price} ${variant.compareAtPrice} ${Math.min(unitsInStock(variant), quantity + FEW_LEFT)}`;
  });
  const codes = discountCodes.map((code) => {
    const discount = catalog.discount(code);
    return discount !== undefined && isWithinDates(discount, now) ? JSON.stringify(discount) : "";
  });
  return digest([discounts, ...codes, ...offers].join("\n"));
}

function digest(text: string): string {
  return hash("sha1", text, "base64url").slice(0, 12);
}

/** Interval between polls, in milliseconds. */
const POLL_MS = 1_000;
/** Number of lines that are checked in one event loop iteration. */
const LINES_PER_SLICE = 500;
/** Stock above the cart's quantity plus this number of units counts as unlimited. */
const FEW_LEFT = 10;
/** Maximum number of streams of one cart, and of one network. Several people in an office may share a network. */
const MAX_PER_CART = 5;
const MAX_PER_NETWORK = 20;
/** Seconds until a rejected client may try again. */
const RETRY_AFTER = 60;
const TOO_MANY = "Too many carts have open streams. Read the cart when the page is shown again, and retry later.";
