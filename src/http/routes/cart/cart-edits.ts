import { addItems, type ItemToAdd } from "../../../cart/edits/add-items.ts";
import { changeLine, clearCart, updateCart } from "../../../cart/edits/cart-edits.ts";
import { createIgnoredDataIssue } from "../../../cart/quantity-issues.ts";
import { formatPublicId } from "../../../catalog/presenters/presenter.ts";
import { showsPage } from "../../bodies/form-posts.ts";
import { isFormType } from "../../bodies/forms.ts";
import { findUnusedFields, parseAddItems } from "../../cart/add-bodies.ts";
import { parseChange, parseCodes, parseUpdate } from "../../cart/cart-bodies.ts";
import { type CartWriteServices, writeCart } from "../../cart/cart-write.ts";
import { toSafeJson } from "../../json/inert-json.ts";
import { trackItems } from "../../track.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/** Handles `POST /cart/add.js` and `POST /cart/add`.  @see spec 4.3 */
export async function handleCartAdd(shop: CartWriteServices, request: StoreRequest): Promise<Reply> {
  let addedItems: readonly ItemToAdd[] = [];
  const reply = await writeCart(shop, request, {
    parse: (body) => {
      const items = parseAddItems(body, shop.config.cart.maxQuantity);
      addedItems = items;
      const codes = parseCodes(body);
      const hasCodes = Object.keys(codes).length > 0;
      // Forms contain fields of the page, such as option pickers, which are not meant for the cart.
      const unusedFields = isFormType(request.headers["content-type"]) ? [] : findUnusedFields(body);
      return (cart, context) => {
        const additionEdit = addItems(cart, items, context);
        const fieldIssues = createIgnoredDataIssue("fields_not_kept", unusedFields, context);
        if (!hasCodes) return { ...additionEdit, issues: [...additionEdit.issues, ...fieldIssues] };
        const { cart: updatedCart, issues } = updateCart(additionEdit.cart, codes, context);
        return { ...additionEdit, cart: updatedCart, issues: [...additionEdit.issues, ...fieldIssues, ...issues] };
      };
    },
    createExtraFields: (editedLines, { lines }, view) => {
      const lastLine = lines.find(({ line }) => line.key === editedLines.at(-1));
      const addedJson = `"added":${toSafeJson(editedLines)}`;
      if (lastLine === undefined) return addedJson;
      // Scripts of themes made for Shopify read the id of the variant.
      const variantId = shop.config.compat.script ? `"id":${toSafeJson(formatPublicId(lastLine.variant.id))},` : "";
      return `${variantId}${addedJson},${shop.cartSerializer.noticeOf(lastLine, view)}`;
    },
  });
  trackItems(shop, request, "added", addedItems);
  return reply;
}

/** Handles `POST /cart/change.js` and `POST /cart/change`.  @see spec 4.4 */
export function handleCartChange(shop: CartWriteServices, request: StoreRequest): Promise<Reply> {
  // Scripts of themes made for Shopify show a message only for an error. Forms show the cart.
  const rejectsShortages = shop.config.compat.script && !showsPage(request);
  return writeCart(shop, request, {
    parse: (body) => {
      const { target, change } = parseChange(body);
      return (cart, context) => changeLine(cart, target, change, { ...context, rejectsShortages });
    },
  });
}

/** Handles `POST /cart/update.js` and `POST /cart/update`.  @see spec 4.5 */
export function handleCartUpdate(shop: CartWriteServices, request: StoreRequest): Promise<Reply> {
  return writeCart(shop, request, {
    parse: (body) => {
      // Scripts of themes read the cart and its sections with an empty update.
      const changes = parseUpdate(shop.config.compat.forms ? { updates: {}, ...body } : body);
      return (cart, context) => updateCart(cart, changes, context);
    },
  });
}

/** Handles `POST /cart/clear.js` and `POST /cart/clear`. The note and the codes remain.  @see spec 4.6 */
export function handleCartClear(shop: CartWriteServices, request: StoreRequest): Promise<Reply> {
  return writeCart(shop, request, { isBodyOptional: true, parse: () => (cart) => clearCart(cart) });
}
