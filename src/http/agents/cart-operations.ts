import { hash } from "node:crypto";
import { createCartIds } from "../../cart/cart-ids.ts";
import type { StoredCart } from "../../cart/cart-store.ts";
import { clearCart, updateCart } from "../../cart/edits/cart-edits.ts";
import type { Edit } from "../../cart/edits/edit-context.ts";
import { mergeIssues } from "../../cart/quantity-issues.ts";
import { findRepeatedWrite, type WriteKey } from "../../cart/writer/applied-write.ts";
import { Problem } from "../../problem.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { createEditContext } from "../cart/cart-write.ts";
import { awaitWithDeadline } from "../deadline.ts";
import { findAddressBlock } from "../wire/address-block.ts";
import type { AgentCall, AgentOperation, ObjectSchema } from "./agent-operation.ts";
import { type AgentCartLine, checkPriceQuotes, readCountry, readLines } from "./cart-payload.ts";
import { loadCartTerms, type QuoteServices } from "./quotes.ts";
import { toUcpResponse, type UcpResponse } from "./ucp.ts";
import { toUcpCart } from "./ucp-cart.ts";

const idArgument = { type: "string", description: "Id of the cart, from create_cart." } as const;

const cartArgument: ObjectSchema = {
  type: "object",
  required: ["line_items"],
  properties: {
    line_items: {
      type: "array",
      minItems: 1,
      maxItems: 100,
      description: "All items of the cart. They replace the earlier items.",
      items: {
        type: "object",
        required: ["item", "quantity"],
        properties: {
          item: {
            type: "object",
            required: ["id"],
            properties: {
              id: { type: "string", description: "Id of a variant." },
              quote: {
                type: "string",
                description:
                  "`metadata.quote` of the variant. If its price or availability has changed, the request fails and lists the changes.",
              },
            },
          },
          quantity: { type: "integer", minimum: 1 },
        },
      },
    },
    context: {
      type: "object",
      properties: {
        address_country: {
          type: "string",
          description: "ISO 3166-1 code of the country to ship to. The response then contains the cost of delivery.",
        },
        language: { type: "string", description: "Language of the texts, such as fr." },
      },
    },
  },
};

const capability = "dev.ucp.shopping.cart";

/** Operations on carts. Anyone with the signed id of a cart may use it. Ids from visitors' cookies are not accepted. */
export const cartOperations: readonly AgentOperation<QuoteServices>[] = [
  {
    name: "create_cart",
    capability,
    endpoint: { method: "POST", path: "/carts", status: 201 },
    description:
      "Create a cart. Show the buyer the items, the totals, and `continue_url`, where the buyer pays. The values are valid for ten minutes.",
    changesCart: true,
    arguments: { cart: cartArgument },
    run: (shop, call) => writeCart(shop, call, undefined),
  },
  {
    name: "get_cart",
    capability,
    endpoint: { method: "GET", path: "/carts/:id" },
    description: "Read a cart with its current values. A cart that was ordered or canceled is not found.",
    changesCart: false,
    arguments: { id: idArgument },
    async run(shop, call) {
      const cart = await findCart(shop, call);
      return respond(shop, call, { cart, issues: [], changedKeys: [] }, call.id);
    },
  },
  {
    name: "update_cart",
    capability,
    endpoint: { method: "PUT", path: "/carts/:id" },
    description: "Replace the items of a cart.",
    changesCart: true,
    arguments: { id: idArgument, cart: cartArgument },
    run: (shop, call) => writeCart(shop, call, readCartToken(shop, call)),
  },
  {
    name: "cancel_cart",
    capability,
    endpoint: { method: "POST", path: "/carts/:id/cancel" },
    description: "Cancel a cart. The response is its last state.",
    changesCart: true,
    arguments: { id: idArgument },
    async run(shop, call) {
      const cart = await findCart(shop, call);
      const response = await respond(shop, call, { cart, issues: [], changedKeys: [] }, call.id);
      const { continue_url: _, ...finalResponse } = response;
      await shop.carts.edit(
        createCartIds(shop, call.request.now, { id: cart.id }),
        { now: call.request.now, startDeadline: shop.carts.startDeadline() },
        clearCart,
      );
      return finalResponse as UcpResponse;
    },
  },
];

/** Purpose string in the signature of an agent's cart id, so that a token signed for another use is not accepted. */
const CART_PURPOSE = "agent cart";

function readCartToken({ keys }: Pick<QuoteServices, "keys">, { id, request }: AgentCall): string {
  const cartId = keys.verify(CART_PURPOSE, id, request.now)?.value;
  if (cartId === undefined) throw createNotFoundProblem();
  return cartId;
}

/** Finds the cart whose signed id the agent sent.  @throws Problem `not_found` */
async function findCart(shop: Pick<QuoteServices, "keys" | "carts">, call: AgentCall): Promise<StoredCart> {
  const cart = await awaitWithDeadline(shop.carts.find(readCartToken(shop, call)));
  if (cart === undefined || cart.lines.length === 0) throw createNotFoundProblem();
  return cart;
}

function createNotFoundProblem(): Problem {
  return new Problem("not_found", "There is no such cart: it was ordered, canceled, or has expired. Create a new one.");
}

/**
 * Sets the items of a cart. A write with an idempotency key is applied once.
 * @param cartId undefined for a new cart
 */
async function writeCart(shop: QuoteServices, call: AgentCall, cartId: string | undefined): Promise<UcpResponse> {
  const { request, payload, idempotencyKey } = call;
  const { now } = request;
  const snapshot = shop.snapshot();
  const lines = readLines(shop, payload, snapshot.catalog);
  readCountry(payload);
  checkPriceQuotes(shop, request, lines, snapshot.catalog);
  const context = createEditContext(shop, request, snapshot, undefined);
  const editCart = (cart: StoredCart): Edit<StoredCart> => {
    if (cartId !== undefined && cart.lines.length === 0) throw createNotFoundProblem();
    const quantities = new Map(cart.lines.map(({ key }) => [key, 0]));
    for (const { variantId, quantity } of lines) {
      const line = cart.lines.find((cartLine) => cartLine.variantId === variantId);
      const key = line?.key ?? variantId;
      quantities.set(key, (quantities.get(key) ?? 0) + quantity);
    }
    try {
      return updateCart(cart, { updates: quantities }, context);
    } catch (error) {
      throw error instanceof Problem ? convertErrorPaths(error, lines, cart) : error;
    }
  };
  const key = idempotencyKey === undefined ? undefined : getWriteKey(shop, call, idempotencyKey);
  const ids = createCartIds(shop, now, { id: cartId, key: key?.visitor });
  const writeTiming = { now, startDeadline: shop.carts.startDeadline() };
  const tokenOf = ({ id }: StoredCart): string =>
    cartId === undefined ? shop.keys.sign(CART_PURPOSE, id, now + shop.config.cart.cookieDays * DAY_MS) : call.id;
  const toResponse = (editResult: Edit<StoredCart>): Promise<UcpResponse> =>
    respond(shop, call, editResult, tokenOf(editResult.cart));
  if (key === undefined) return toResponse(await shop.carts.edit(ids, writeTiming, editCart));
  if (cartId === undefined) {
    const earlierWrites = await awaitWithDeadline(
      shop.carts.findAppliedWrites([key], undefined, now),
      writeTiming.startDeadline,
    );
    const earlierWrite = findRepeatedWrite(earlierWrites, key, undefined);
    if (earlierWrite !== undefined) return JSON.parse(earlierWrite.response);
  }
  const { applied } = await shop.carts.editOnce(ids, writeTiming, editCart, {
    key,
    isKnown: cartId !== undefined,
    formatAnswer: async (editResult) => JSON.stringify(await toResponse(editResult)),
  });
  return JSON.parse(applied.response);
}

/** Converts error paths such as `updates.<line key>` to paths in the agent's request: `line_items[0].quantity`. */
function convertErrorPaths(problem: Problem, lines: readonly AgentCartLine[], cart: StoredCart): Problem {
  const fields = problem.fields.map((error) => {
    const id = error.field.replace(/^updates\./, "");
    const variantId = cart.lines.find(({ key }) => key === id)?.variantId ?? id;
    const index = lines.findIndex((line) => line.variantId === variantId);
    return { ...error, field: index < 0 ? "line_items" : `line_items[${index}].quantity` };
  });
  return new Problem(problem.code, problem.message, fields, problem.detail);
}

/**
 * Returns the idempotency key of a write, combined with the agent's IP network, because agents have no cookies that
 * identify them.
 */
function getWriteKey(
  { keys }: Pick<QuoteServices, "keys">,
  { id, payload, request }: AgentCall,
  key: string,
): WriteKey {
  return {
    key,
    fingerprint: hash("sha256", JSON.stringify([id, payload]), "base64url"),
    visitor: keys.digest("idempotency key agent", findAddressBlock(request.client.address)),
  };
}

async function respond(
  shop: QuoteServices,
  { request, payload }: AgentCall,
  { cart, issues }: Edit<StoredCart>,
  token: string,
): Promise<UcpResponse> {
  const terms = await loadCartTerms(shop, request, cart, readCountry(payload));
  const allIssues = mergeIssues(issues, terms.pricedCart.issues);
  return toUcpResponse(capability, toUcpCart(shop, request, { cart, terms, issues: allIssues, token }));
}
