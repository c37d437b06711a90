import type { Shop } from "../../../shop.ts";
import type { CartStreams } from "../../cart/cart-streams.ts";
import { findCart } from "../../cart/load-cart.ts";
import { findAddressBlock } from "../../wire/address-block.ts";
import { NO_STORE, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/**
 * Handles `GET /cart/events`: an event stream that notifies a page when the shopper's cart changes. If the cart is
 * empty, the status is 204, and the browser does not reconnect.
 * @see CartStreams
 */
export async function sendCartEvents(
  shop: Pick<Shop, "carts" | "keys">,
  openCarts: CartStreams,
  request: StoreRequest,
): Promise<Reply> {
  const cart = await findCart(shop, request);
  const { id } = cart;
  if (id === undefined || cart.lines.length === 0)
    return { status: 204, headers: { "cache-control": NO_STORE }, body: "" };
  const network = findAddressBlock(request.client.address);
  openCarts.checkStreamLimits(id, network);
  const lastId = request.headers["last-event-id"];
  return {
    status: 200,
    headers: {
      "content-type": "text/event-stream",
      "cache-control": NO_STORE,
      // Disables buffering in proxies, which would delay events.
      "x-accel-buffering": "no",
    },
    body: { startStream: (stream) => openCarts.subscribe({ ...cart, id }, network, stream, lastId) },
  };
}
