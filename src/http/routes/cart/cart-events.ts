import type { Shop } from "../../../shop.ts";
import type { CartStreams } from "../../cart/cart-streams.ts";
import { findCart } from "../../cart/load-cart.ts";
import { addressBlock } from "../../wire/address-block.ts";
import { NO_STORE, type Reply } from "../../wire/reply.ts";
import { headerOf, type StoreRequest } from "../../wire/request.ts";

/** `GET /cart/events`: tells a page that shows the caller's cart when to read it anew, for as long as the page is open. Where there is no cart, or nothing in
 *  it, 204: a browser does not ask again by itself. @see CartStreams */
export async function cartEvents(
  shop: Pick<Shop, "carts" | "keys">,
  openCarts: CartStreams,
  request: StoreRequest,
): Promise<Reply> {
  const cart = await findCart(shop, request);
  const { id } = cart;
  if (id === undefined || cart.lines.length === 0)
    return { status: 204, headers: { "cache-control": NO_STORE }, body: "" };
  const network = addressBlock(request.client.address);
  openCarts.admit(id, network);
  const lastId = headerOf(request, "last-event-id");
  return {
    status: 200,
    headers: {
      "content-type": "text/event-stream",
      "cache-control": NO_STORE,
      // A proxy that gathers answers would hold events back.
      "x-accel-buffering": "no",
    },
    body: { begin: (stream) => openCarts.follow({ ...cart, id }, network, stream, lastId) },
  };
}
