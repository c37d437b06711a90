import { type AddItem, addItems, updateCart } from "../../cart/edits/cart-edits.ts";
import { parseAdd, parseCodes } from "../cart/cart-bodies.ts";
import { type WriteShop, writeCart } from "../cart/cart-write.ts";
import { noteAdded } from "../feedback.ts";
import type { Reply } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";

/** `POST /cart/add.js`, `POST /cart/add`. @see spec 4.3 */
export async function cartAdd(shop: WriteShop, request: StoreRequest): Promise<Reply> {
  let asked: readonly AddItem[] = [];
  const reply = await writeCart(shop, request, {
    parse: (body) => {
      const items = parseAdd(body, shop.config.cart.maxQuantity);
      asked = items;
      const codes = parseCodes(body);
      return (cart, at) => {
        const added = addItems(cart, items, at);
        const { cart: updated, issues } = updateCart(added.cart, codes, at);
        return { ...added, cart: updated, issues: [...added.issues, ...issues] };
      };
    },
    extra: (touched, { items }) => {
      const last = (items as readonly Record<string, unknown>[]).find(({ key }) => key === touched.at(-1));
      return { added: touched, ...Object.fromEntries(noticeFields.map((name) => [name, last?.[name]])) };
    },
  });
  noteAdded(shop, request, asked);
  return reply;
}

/** Fields of the line that was added last, as themes' notices read them in the answer itself; the cart has none of these names. */
const noticeFields =
  "key variant_id product_id quantity title product_title variant_title image featured_image url handle price line_price final_price sku vendor properties options_with_values".split(
    " ",
  );
