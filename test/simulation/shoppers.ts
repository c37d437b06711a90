import type { StoredCart } from "../../src/cart/cart-store.ts";
import type { Edit } from "../../src/cart/edits/edit-context.ts";
import { createTimeoutProblem } from "../../src/cart/writer/edit-queue.ts";
import { applyWrite, type VisitorCartWrite } from "../../src/http/cart/apply-write.ts";
import { Problem, type ProblemCode } from "../../src/problem.ts";
import { CommitInDoubtError, DatabaseUnavailableError } from "../../src/storage/database.ts";
import { type AddedItem, type Model, mergeOutcomes, type Outcome } from "./model.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Cluster, Server } from "./servers.ts";
import { PRICE } from "./shop-content.ts";

/** Time in milliseconds since 1970 at the start of a history. */
const START = Date.UTC(2026, 0, 1);
/** Attempts of a client that gets no answer. */
export const MAX_ATTEMPTS = 4;
const rejectedMessage = createTimeoutProblem().message;

export interface Shopper {
  readonly name: string;
  readonly usesCard: boolean;
  readonly usesDiscount: boolean;
  /** ID of the cart in the shopper's cookie. */
  cartId?: string;
}

export interface HistoryParts {
  readonly scheduler: Scheduler;
  readonly cluster: Cluster;
  readonly model: Model;
}

/** An answer of a server; undefined if it was lost. */
export interface Answer<T> {
  readonly value?: T;
  readonly outcome: Outcome;
}

export function getTime({ clockOffset }: Server): number {
  return START + clockOffset + Math.floor(performance.now());
}

/**
 * Sends a request to a server.
 * @param expectedCodes codes of problems that are valid answers; nothing was written then
 */
export async function send<T>(
  { scheduler, model }: HistoryParts,
  server: Server,
  request: (server: Server) => Promise<T>,
  expectedCodes: readonly ProblemCode[] = [],
): Promise<Answer<T>> {
  try {
    const answer = await Promise.race([request(server).then((value) => ({ value })), server.crashed]);
    if (answer === "crashed" || scheduler.hasFault("lost response", 50)) return { outcome: "unknown" };
    return { ...answer, outcome: "applied" };
  } catch (error) {
    if (error instanceof Problem && error.message === rejectedMessage) return { outcome: "rejected" };
    if (error instanceof Problem && expectedCodes.includes(error.code)) return { outcome: "rejected" };
    const isUnavailable =
      error instanceof DatabaseUnavailableError ||
      (error instanceof Problem && error.code === "cart_service_unavailable");
    if (!isUnavailable) model.violations.add(`unexpected error: ${error instanceof Error ? error.stack : error}`);
    return { outcome: error instanceof CommitInDoubtError || error instanceof Problem ? "unknown" : "rejected" };
  }
}

/** Adds an item to the shopper's cart, sometimes with an idempotency key and several attempts. */
export async function addItem(
  parts: HistoryParts,
  shopper: Shopper,
  { key, variantId }: { readonly key: string; readonly variantId: string },
): Promise<void> {
  const { scheduler, model } = parts;
  const item: AddedItem = { key, outcome: "unknown" };
  model.items.set(key, item);
  const line = { key, variantId, quantity: 1, properties: {}, seenPrice: PRICE, seenTitle: "Rope" };
  const edit = (cart: StoredCart): StoredCart => {
    // A second application would be visible as a second unit.
    const quantity = (cart.lines.find((one) => one.key === key)?.quantity ?? 0) + 1;
    return { ...cart, lines: [...cart.lines.filter((one) => one.key !== key), { ...line, quantity }] };
  };
  const onCart = (cartId: string): void => {
    item.cartId ??= cartId;
  };
  const write = { edit, onCart };
  const isKeyed = scheduler.random.below(2) === 0;
  item.outcome = await (isKeyed
    ? writeCartWithKey(parts, shopper, { ...write, key })
    : writeCart(parts, shopper, write));
}

/** Removes an item from the shopper's cart. */
export async function removeItem(parts: HistoryParts, shopper: Shopper): Promise<void> {
  const items = [...parts.model.items.values()].filter(
    ({ cartId, outcome, removal }) =>
      cartId !== undefined && cartId === shopper.cartId && outcome === "applied" && removal === undefined,
  );
  if (items.length === 0) return;
  const item = parts.scheduler.random.pick(items);
  item.removal = "unknown";
  const edit = (cart: StoredCart): StoredCart => {
    const lines = cart.lines.filter(({ key }) => key !== item.key);
    return lines.length === cart.lines.length ? cart : { ...cart, lines };
  };
  item.removal = await writeCart(parts, shopper, { edit });
}

interface CartEdit {
  readonly edit: (cart: StoredCart) => StoredCart;
  /** Idempotency key. Default: none. */
  readonly key?: string;
  /** Receives the ID of the cart from the response. */
  readonly onCart?: (cartId: string) => void;
}

async function writeCartWithKey(parts: HistoryParts, shopper: Shopper, edit: CartEdit): Promise<Outcome> {
  const { scheduler } = parts;
  const attempt = (): Promise<Outcome> => writeCart(parts, shopper, edit);
  const outcomes: Outcome[] = [];
  if (scheduler.random.below(4) === 0) outcomes.push(...(await Promise.all([attempt(), attempt()])));
  for (let count = 0; count < MAX_ATTEMPTS && !outcomes.includes("applied"); count += 1) {
    outcomes.push(await attempt());
    await scheduler.wait();
  }
  return mergeOutcomes(outcomes);
}

/** Sends one write as a browser does, with the cookie of the cart if there is one. */
async function writeCart(parts: HistoryParts, shopper: Shopper, { edit, key, onCart }: CartEdit): Promise<Outcome> {
  const { cluster, model } = parts;
  const write: VisitorCartWrite = {
    cookieId: shopper.cartId,
    firstWriteKey: `token of ${shopper.name}`,
    edit: (cart): Edit<StoredCart> => ({ cart: edit(cart), issues: [], changedKeys: [] }),
    createResponse: ({ cart }) => {
      const fields = `"revision":${cart.revision}`;
      return { cart: { fields, items: "[]" }, issues: "[]", extraFields: "{}" };
    },
    ...(key === undefined ? {} : { key: { key, fingerprint: key, visitor: `visitor ${shopper.name}` } }),
  };
  const { outcome, value } = await send(parts, cluster.pick(), async ({ carts, clockOffset }) => {
    const now = START + clockOffset + Math.floor(performance.now());
    const result = await applyWrite({ carts, process: { newId: cluster.newId } as never }, { now }, write);
    return { cartId: result.cartId, revision: Number(/\d+/.exec(String(result.response.cart.fields))?.[0]) };
  });
  if (value?.cartId === undefined) return outcome;
  onCart?.(value.cartId);
  shopper.cartId ??= value.cartId;
  model.revisions.set(value.cartId, Math.max(value.revision, model.revisions.get(value.cartId) ?? 0));
  return outcome;
}

/** Reads a cart, and compares it with the writes that were acknowledged before. */
export async function readCart(parts: HistoryParts, { cartId }: Shopper): Promise<void> {
  if (cartId === undefined) return;
  const { model } = parts;
  const acknowledgedRevision = model.revisions.get(cartId) ?? 0;
  const { value } = await send(parts, parts.cluster.pick(), async ({ carts }) => ({ cart: await carts.find(cartId) }));
  if (value !== undefined && (value.cart?.revision ?? 0) < acknowledgedRevision)
    model.violations.add(`a read returned revision ${value.cart?.revision} after ${acknowledgedRevision}`);
}
