import { type Cart, emptyCart, type Issue } from "../../cart/cart.ts";
import type { StoredCart } from "../../cart/cart-store.ts";
import type { Edit, EditContext } from "../../cart/edits/edit-context.ts";
import type { PricedCart } from "../../cart/priced-cart.ts";
import { createIgnoredDataIssue, mergeIssues } from "../../cart/quantity-issues.ts";
import type { Customer } from "../../catalog/customer.ts";
import { findRemovedDiscounts } from "../../checkout/discount-uses.ts";
import type { CartOperation, HttpMetrics } from "../../observability/metrics.ts";
import { Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { type Body, readRequestBody } from "../bodies/body.ts";
import { getSnapshot } from "../checkout/session-reservations.ts";
import { awaitWithDeadline } from "../deadline.ts";
import { errorCodeOf } from "../error-responses.ts";
import { parseIfMatch } from "../if-match.ts";
import { type CartSerializer, type CartView, formatCartMembers } from "../json/cart-text.ts";
import { JsonText } from "../json/inert-json.ts";
import type { Handler } from "../route.ts";
import {
  formatSectionsMember,
  parseSections,
  type RequestedSections,
  type SectionsField,
} from "../sections/bundled-sections.ts";
import { createCartCookie, createVisitorKey, requireCartId } from "../sessions/cart-session.ts";
import { checkCsrf } from "../sessions/csrf-session.ts";
import { readCustomer } from "../sessions/customer-session.ts";
import { ByteString, encodeUtf8 } from "../wire/byte-string.ts";
import { ClientDisconnectedError } from "../wire/read-body.ts";
import { createJsonReply, type Reply } from "../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../wire/request.ts";
import { applyWrite, type VisitorCartWrite, type WriteResponse } from "./apply-write.ts";
import { listAttributeNames } from "./cart-bodies.ts";
import { type CodeAttempts, createCodeAttemptLimit } from "./code-attempts.ts";
import type { IssueSerializer } from "./issue-serializer.ts";
import { loadSections, priceCartAfterWrite, readCart, waitForNextTurn } from "./load-cart.ts";
import { createWriteKey, readKeyHeader } from "./write-key.ts";

export type WriteServices = Pick<
  Shop,
  "config" | "snapshot" | "carts" | "checkouts" | "process" | "limits" | "theme" | "keys" | "hooks" | "signals"
>;

/** Parts of the shop that cart writes use. */
export interface CartWriteServices extends WriteServices {
  readonly cartSerializer: CartSerializer;
  readonly issueSerializer: IssueSerializer;
}

/** One endpoint that changes the cart, such as "add" or "update". */
export interface CartEndpoint {
  /** Whether a missing body counts as an empty object. */
  readonly isBodyOptional?: boolean;
  /** Whether form bodies are always accepted. Default: only if the shop's settings accept forms. */
  readonly acceptsForms?: boolean;
  /** Validates the body before the cart is read. Returns the edit to apply.  @throws Problem `validation_failed` */
  readonly parse: (body: Body) => (cart: StoredCart, editContext: EditContext) => Edit<StoredCart>;
  /** Returns the additional response fields of this endpoint, as JSON without braces. */
  readonly createExtraFields?: (changedKeys: readonly string[], pricedCart: PricedCart, view: CartView) => string;
}

/**
 * Handles every write to the main cart: authenticates the sender, parses the body, changes the cart, and responds with
 * the cart and the requested theme sections. A write with an `Idempotency-Key` is applied once. Repeated requests get
 * the stored response with current sections.
 * @see spec 4.3 to 4.6, 4.8, 5
 */
export async function writeCart(shop: CartWriteServices, request: StoreRequest, write: CartEndpoint): Promise<Reply> {
  const acceptsForms = write.acceptsForms === true || shop.config.compat.forms;
  const writer = await checkCsrf(shop, request, acceptsForms);
  const { csrfToken } = writer;
  const cookieId = requireCartId(shop, request, "cart");
  const idempotencyKey = readKeyHeader(request);
  const body = await readRequestBody(request, { forms: acceptsForms }, write.isBodyOptional);
  const requestedSections = parseSections(request, shop, body);
  const edit = write.parse(body);
  const snapshot = await getSnapshot(shop, request);
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const codeAttempts = createCodeAttemptLimit(shop, request, cookieId);
  const context = createEditContext(shop, request, snapshot, customer, codeAttempts.canTry);
  const attributeIssues = createIgnoredDataIssue("attributes_not_kept", listAttributeNames(body), context);
  const key = idempotencyKey && createWriteKey(shop, request, { key: idempotencyKey, body, kind: "cart", writer });

  let originalCart: Cart = emptyCart;
  let cartWithPrices: CartWithPrices | undefined;
  const view = { locale: request.locale, prefix: formatLocalePrefix(request.locale, shop.config.locales) };
  /** Returns the JSON of a cart and its issues.  @see spec 2.3 */
  const serialize = (pricedCart: PricedCart, issues: readonly Issue[]): Pick<WriteResponse, "cart" | "issues"> => ({
    cart: shop.cartSerializer.serialize(pricedCart, view),
    issues: shop.issueSerializer.serialize(mergeIssues(issues, pricedCart.issues), view, request.now),
  });
  const sectionState = { requestedSections, snapshot, csrfToken, context };
  const visitorWrite: VisitorCartWrite = {
    cookieId,
    // Several visitors without a visitor cookie may have the same token.
    firstWriteKey: writer.visitorId === undefined ? undefined : createVisitorKey(shop, writer, "cart"),
    edit: (cart) => {
      originalCart = cart;
      checkRevision(request, cart.revision);
      return edit(cart, context);
    },
    createResponse: async ({ cart, issues, changedKeys }) => {
      const pricedCart = await priceCartAfterWrite(shop, cart, context);
      cartWithPrices = { cart, pricedCart };
      codeAttempts.countWrongCodes(pricedCart.inapplicable);
      const extraFields = write.createExtraFields?.(changedKeys, pricedCart, view) ?? "";
      return { ...serialize(pricedCart, [...issues, ...attributeIssues]), extraFields: `{${extraFields}}` };
    },
    ...(key ? { key } : {}),
  };
  try {
    const { cartId, response, cart } = await applyWrite(shop, request, visitorWrite);
    if (cart !== undefined && originalCart.discountCodes.length > 0)
      await releaseDiscounts(shop, snapshot, originalCart, cart);
    const sections = await showSections(shop, request, { ...sectionState, cartId, cart, cartWithPrices });
    // Several carts may be committed at the same time. Let other requests run before creating the response for a long
    // cart.
    await waitForNextTurn(shop, cartWithPrices?.cart.lines.length ?? 0);
    // RFC 7240: the client asks for a response without repetitions.
    const isMinimalReply = /(?:^|[\s,;])return=minimal(?:$|[\s,;])/i.test(request.headers.prefer ?? "");
    return createJsonReply(200, createResponseBody(response, sections, isMinimalReply), {
      ...(cartId === undefined ? {} : { "set-cookie": [createCartCookie(shop, request, "cart", { id: cartId })] }),
      ...(isMinimalReply ? { "preference-applied": "return=minimal" } : {}),
    });
  } catch (error) {
    if (!(error instanceof Problem) || !errorCodesWithCart.has(error.code)) throw error;
    const issues = (error.detail.issues as readonly Issue[] | undefined) ?? [];
    const pricedCart = await priceCartAfterWrite(shop, originalCart, context);
    const currentJson = serialize(pricedCart, issues);
    const sections = await showSections(shop, request, {
      ...sectionState,
      cartId: undefined,
      cart: originalCart,
      cartWithPrices: { cart: originalCart, pricedCart },
    });
    const cart = new JsonText(`{${formatCartMembers(currentJson.cart)}}`);
    const reply = { cart, issues: new JsonText(currentJson.issues), ...sections };
    throw new Problem(error.code, error.message, error.fields, { reply });
  }
}

/**
 * Builds the response body. The fields of the cart appear both at the top level and in `cart`. If the endpoint returns
 * its own `id`, that one replaces the cart's `id` at the top level. A minimal response has the fields at the top level
 * only, with the cart's `id`, and the lines only as `items`.
 */
function createResponseBody(
  { cart, issues, extraFields }: WriteResponse,
  sections: SectionsField,
  isMinimalReply: boolean,
): ByteString {
  const extraMembers = extraFields === "{}" ? "" : `,${encodeUtf8(extraFields.slice(1, -1))}`;
  if (isMinimalReply) {
    const membersWithoutId = extraMembers.replace(/^,"id":[^,]+/, "");
    const members = encodeUtf8(`${cart.fields},"items":${cart.items},"issues":${issues}`);
    return new ByteString(`{${members}${formatSectionsMember(sections)}${membersWithoutId}}`);
  }
  const cartFields = encodeUtf8(formatCartMembers(cart));
  const topLevelFields = extraFields.startsWith('{"id":') ? cartFields.replace(/^"id":"[^"]*",/, "") : cartFields;
  return new ByteString(
    `{${topLevelFields},"cart":{${cartFields}},"issues":${encodeUtf8(issues)}${formatSectionsMember(sections)}${extraMembers}}`,
  );
}

/**
 * Returns the data for editing and pricing a cart in this request, such as the catalog and the limits.
 * @param canTry Default: new codes are rejected
 */
export function createEditContext(
  shop: Pick<Shop, "config" | "process">,
  request: StoreRequest,
  { catalog }: Pick<Snapshot, "catalog">,
  customer: Customer | undefined,
  canTry: CodeAttempts["canTry"] = () => false,
): EditContext {
  const { currency, cart } = shop.config;
  const { maxLines, maxQuantity } = cart;
  return {
    catalog,
    currency,
    maxLines,
    maxQuantity,
    customer,
    now: request.now,
    locale: request.locale,
    newToken: shop.process.newId,
    canTry,
  };
}

/** Error codes whose response contains the cart, so that a theme needs no second request. */
const errorCodesWithCart: ReadonlySet<string> = new Set(["insufficient_stock", "out_of_stock", "cart_changed"]);

/** Data for rendering the response of a write, besides the cart. */
interface CartWriteContext {
  readonly requestedSections: RequestedSections;
  readonly snapshot: Snapshot;
  readonly csrfToken: string;
  readonly context: EditContext;
}

interface CartWithPrices {
  readonly cart: Cart;
  readonly pricedCart: PricedCart;
}

/**
 * Releases the reservations of discounts that have a usage limit and were removed from the cart. If the database is
 * unavailable, the reservations expire later.
 */
async function releaseDiscounts(
  { checkouts: { discountUses } }: Pick<Shop, "checkouts">,
  { catalog }: Snapshot,
  originalCart: Cart,
  cart: Cart,
): Promise<void> {
  const { checkoutId } = originalCart;
  if (checkoutId === undefined) return;
  const droppedDiscounts = findRemovedDiscounts(originalCart, cart, catalog);
  const releases = droppedDiscounts.map((discount) => discountUses.release(discount, checkoutId));
  await awaitWithDeadline(Promise.all(releases)).catch(() => undefined);
}

/**
 * Renders the response field `sections`, or nothing if no sections were requested. The write is already complete, so if
 * the cart cannot be read, the request succeeds and all sections are null.
 * @param view.cartWithPrices an already priced cart, used instead of pricing again if it is the current cart
 * @see spec 4.8
 */
async function showSections(
  shop: WriteServices,
  request: StoreRequest,
  view: CartWriteContext & {
    readonly cartId: string | undefined;
    readonly cart: Cart | undefined;
    readonly cartWithPrices: CartWithPrices | undefined;
  },
): Promise<SectionsField> {
  const { context, cartId, cart, cartWithPrices, requestedSections, snapshot, csrfToken } = view;
  if (requestedSections.ids.length === 0) return {};
  const currentCart = cart ?? (await readCart(shop, cartId).catch(() => undefined));
  if (currentCart === undefined) return { sections: Object.fromEntries(requestedSections.ids.map((id) => [id, null])) };
  const pricedCart =
    cartWithPrices?.cart === currentCart
      ? cartWithPrices.pricedCart
      : await priceCartAfterWrite(shop, currentCart, context);
  return loadSections(shop, request, {
    requestedSections,
    snapshot,
    customer: context.customer,
    pricedCart,
    csrfToken,
  });
}

/**
 * Checks the header `If-Match`: the value "3" accepts a write only if the cart is at revision 3.
 * @throws Problem `cart_changed`
 */
export function checkRevision(request: Pick<StoreRequest, "headers">, revision: number): void {
  if (parseIfMatch(request)?.includes(`"${revision}"`) !== false) return;
  throw new Problem("cart_changed", "The cart has changed: read it again.");
}

/** Wraps a handler to count its cart writes by result. */
export function countCartWrites(
  metrics: HttpMetrics | undefined,
  operation: CartOperation,
  handler: (...parameters: Parameters<Handler>) => Promise<Reply>,
): Handler {
  if (metrics === undefined) return handler;
  return async (request) => {
    try {
      const reply = await handler(request);
      metrics.recordCartWrite(operation, "done");
      return reply;
    } catch (error) {
      metrics.recordCartWrite(
        operation,
        error instanceof ClientDisconnectedError ? "client_gone" : (errorCodeOf(error) ?? "error"),
      );
      throw error;
    }
  };
}
