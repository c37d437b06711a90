import { hash } from "node:crypto";
import { type Cart, emptyCart } from "../../cart/cart.ts";
import { countUnitsInStock } from "../../catalog/stock.ts";
import { isWithinDates } from "../../pricing/discount-rules.ts";
import { Problem } from "../../problem.ts";
import { type PollLoop, poll } from "../../runtime/poll.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { getConnectionLimit } from "../wire/connection-limit.ts";
import type { EventStream } from "../wire/event-streams.ts";

/**
 * Event streams that notify pages of cart changes. An event like `{"revision": 7}` is sent when the cart changes. The
 * same revision is sent again when prices, discounts, or stock of the cart's products change.
 */
export interface CartStreams {
  /**
   * Checks the limits of open streams for this thread, the cart, and the client's network.
   * @param network the client's block of IP addresses
   * @throws Problem `overloaded` if a limit is reached
   */
  checkStreamLimits(cartId: string, network: string): void;
  /**
   * Starts sending the events of a cart.
   * @param lastId id of the last event that the client received; undefined to send the current state first
   * @returns a function that ends the stream
   */
  subscribe(cart: Cart & { readonly id: string }, network: string, stream: EventStream, lastId?: string): () => void;
}

type StreamServices = Pick<Shop, "carts" | "snapshot" | "process">;

/**
 * Creates the cart streams. One poll per second checks all carts with open streams, regardless of the number of pages.
 * @param threads number of threads, which share the limit of open streams
 */
export function createCartStreams(shop: StreamServices, threads: number): CartStreams {
  // At most half of the connections may be event streams, so that other requests can connect.
  const maxStreams = Math.floor(Math.min(MAX_STREAMS, getConnectionLimit() / 2) / threads);
  const openCarts = new Map<string, WatchedCart>();
  const networks = new Map<string, number>();
  let streamCount = 0;
  let pollJob: PollLoop | undefined;
  let lastCheckInputs: CartCheckInputs | undefined;
  const getCheckInputs = (): CartCheckInputs => {
    const snapshot = shop.snapshot();
    const now = shop.process.now();
    const discounts = snapshot.catalog.automaticDiscounts().filter((discount) => isWithinDates(discount, now));
    return { snapshot, epoch: shop.snapshot().stock.epoch(), now, discounts: hashText(JSON.stringify(discounts)) };
  };
  const checkCart = async (openCart: WatchedCart, revision: number, inputs: CartCheckInputs): Promise<void> => {
    const termsDigest = hashTerms(openCart.cart, inputs);
    const hasNewTerms = termsDigest !== openCart.termsDigest;
    openCart.termsDigest = termsDigest;
    if (revision !== openCart.cart.revision) {
      openCart.cart = (await shop.carts.find(openCart.id)) ?? emptyCart;
      openCart.termsDigest = hashTerms(openCart.cart, inputs);
      notifyCart(openCart);
    }
    if (hasNewTerms) notifyCart(openCart);
  };
  const checkAllCarts = async (): Promise<void> => {
    const carts = [...openCarts.values()];
    const inputs = getCheckInputs();
    const hasNewInputs =
      lastCheckInputs?.snapshot !== inputs.snapshot ||
      lastCheckInputs.epoch !== inputs.epoch ||
      lastCheckInputs.discounts !== inputs.discounts;
    const revisions = await loadRevisions(
      shop.carts,
      carts.map(({ id }) => id),
    );
    let lineCount = 0;
    for (const openCart of carts) {
      // A cart that was deleted from the database counts as empty.
      const revision = revisions.get(openCart.id) ?? 0;
      if (revision === "unknown") continue;
      // A discount code may become valid or expire without a change of the cart.
      if (!hasNewInputs && revision === openCart.cart.revision && openCart.cart.discountCodes.length === 0) continue;
      lineCount += openCart.cart.lines.length;
      if (lineCount > LINES_PER_YIELD) {
        await shop.process.scheduler.yield("background");
        lineCount = 0;
      }
      await checkCart(openCart, revision, inputs);
    }
    lastCheckInputs = inputs;
    if (openCarts.size > 0) return;
    // The snapshot contains an entire catalog, so it is removed from memory when no streams are open.
    lastCheckInputs = undefined;
    void pollJob?.close();
    pollJob = undefined;
  };
  return {
    checkStreamLimits(cartId, network) {
      const isLimitReached =
        streamCount >= maxStreams ||
        (openCarts.get(cartId)?.streams.size ?? 0) >= MAX_STREAMS_PER_CART ||
        (networks.get(network) ?? 0) >= MAX_STREAMS_PER_NETWORK;
      if (isLimitReached)
        throw new Problem("overloaded", TOO_MANY_STREAMS_MESSAGE, [], { retryAfter: RETRY_DELAY_SECONDS });
    },
    subscribe(cart, network, stream, lastId) {
      const inputs = getCheckInputs();
      const termsDigest = hashTerms(cart, inputs);
      const openCart = openCarts.get(cart.id) ?? { id: cart.id, streams: new Set<EventStream>(), cart, termsDigest };
      const hasNewRevision = openCart.cart.revision !== cart.revision;
      openCart.cart = cart;
      openCart.termsDigest = termsDigest;
      if (hasNewRevision) notifyCart(openCart);
      openCarts.set(cart.id, openCart);
      openCart.streams.add(stream);
      streamCount += 1;
      networks.set(network, (networks.get(network) ?? 0) + 1);
      pollJob ??= poll(
        { name: "reading open carts", intervalMs: POLL_INTERVAL_MS, log: shop.process.log },
        checkAllCarts,
      );
      if (lastId !== idOf(openCart)) send(openCart, stream);
      return () => {
        openCart.streams.delete(stream);
        if (openCart.streams.size === 0 && openCarts.get(openCart.id) === openCart) openCarts.delete(openCart.id);
        streamCount -= 1;
        const remainingStreams = (networks.get(network) ?? 0) - 1;
        if (remainingStreams > 0) networks.set(network, remainingStreams);
        else networks.delete(network);
      };
    },
  };
}

interface WatchedCart {
  readonly id: string;
  readonly streams: Set<EventStream>;
  /** The cart as it was when the last event was sent. */
  cart: Cart;
  /** Digest of the prices and stock when the last event was sent, from {@link hashTerms}. */
  termsDigest: string;
}

/** Current prices, stock, and discounts, which may affect the carts with open streams. */
interface CartCheckInputs {
  readonly snapshot: Snapshot;
  /** Counter that increases when any stock changes. */
  readonly epoch: number;
  readonly now: number;
  /** Currently active automatic discounts, as a string for comparison. */
  readonly discounts: string;
}

function notifyCart(openCart: WatchedCart): void {
  for (const stream of openCart.streams) send(openCart, stream);
}

function send(openCart: WatchedCart, stream: EventStream): void {
  stream.send("cart", JSON.stringify({ revision: openCart.cart.revision }), idOf(openCart));
}

function idOf({ cart, termsDigest }: WatchedCart): string {
  return `${cart.revision}-${termsDigest}`;
}

/**
 * Returns the current revision of each cart by cart id, without carts that were deleted. "unknown" if the database of a
 * cart is unavailable.
 */
async function loadRevisions(
  carts: Shop["carts"],
  ids: readonly string[],
): Promise<ReadonlyMap<string, number | "unknown">> {
  const revisions = new Map<string, number | "unknown">();
  const uncachedIds: string[] = [];
  for (const id of ids) {
    const cart = carts.findCached?.(id);
    if (cart === undefined) uncachedIds.push(id);
    else revisions.set(id, cart.revision);
  }
  if (uncachedIds.length > 0)
    for (const [id, revision] of await carts.getRevisions(uncachedIds)) revisions.set(id, revision);
  return revisions;
}

/**
 * Returns a digest of the prices, stock, and discounts that affect a cart. Stock far above the quantity in the cart
 * counts as unlimited.
 */
function hashTerms({ lines, discountCodes }: Cart, { snapshot: { catalog }, now, discounts }: CartCheckInputs): string {
  const quantities = new Map<string, number>();
  for (const { variantId, quantity } of lines) quantities.set(variantId, (quantities.get(variantId) ?? 0) + quantity);
  const offers = [...quantities].map(([id, quantity]) => {
    const variant = catalog.variant(id)?.variant;
    if (variant === undefined) return "";
    return `${variant.price} ${variant.compareAtPrice} ${Math.min(countUnitsInStock(variant), quantity + LOW_STOCK_UNITS)}`;
  });
  const codes = discountCodes.map((code) => {
    const discount = catalog.discount(code);
    return discount !== undefined && isWithinDates(discount, now) ? JSON.stringify(discount) : "";
  });
  return hashText([discounts, ...codes, ...offers].join("\n"));
}

function hashText(text: string): string {
  return hash("sha1", text, "base64url").slice(0, 12);
}

/** Interval between polls, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;
/** Number of cart lines that are checked before other requests can run. */
const LINES_PER_YIELD = 500;
/** Stock counts as unlimited if it exceeds the quantity in the cart by more than this number of units. */
const LOW_STOCK_UNITS = 10;
/** Maximum number of open cart event streams in the process. */
const MAX_STREAMS = 1_000;
/** Maximum number of open streams for one cart, and for one network. People in one office may share a network. */
const MAX_STREAMS_PER_CART = 5;
const MAX_STREAMS_PER_NETWORK = 20;
/** Seconds until a rejected client may try again. */
const RETRY_DELAY_SECONDS = 60;
const TOO_MANY_STREAMS_MESSAGE =
  "Too many carts have open streams. Read the cart when the page is shown again, and retry later.";
