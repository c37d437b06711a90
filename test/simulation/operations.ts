import { purgeAppliedWrites } from "../../src/storage/applied-writes.ts";
import { expireCheckouts } from "../../src/storage/checkouts/expiry.ts";
import { purgeDiscountUses } from "../../src/storage/discount-uses.ts";
import { mergeOutcomes, type Outcome } from "./model.ts";
import type { Server } from "./servers.ts";
import { catalogStock } from "./shop-content.ts";
import { getTime, type HistoryParts, MAX_ATTEMPTS, send } from "./shoppers.ts";

const orderProblems = ["order_cancelled", "order_conflict", "order_changed", "reference_taken", "not_found"] as const;
const merchant = { source: "api" } as const;

/** Runs a job on all servers, as each of them does from time to time. */
export async function runJobs(parts: HistoryParts): Promise<void> {
  const expires = parts.scheduler.random.below(4) > 0;
  const runOn = (server: Server): Promise<unknown> =>
    send(parts, server, async ({ database, cartDatabases, removeOrderedItems }) => {
      const now = getTime(server);
      const databases = [database, ...cartDatabases.values().map((one) => one.database)];
      if (expires) await expireCheckouts({ database, onStock: () => undefined }, now);
      else
        await Promise.all([
          purgeDiscountUses(database, now),
          ...databases.map((one) => purgeAppliedWrites(one, now)),
          cartDatabases.size > 0 ? removeOrderedItems() : undefined,
        ]);
    });
  await Promise.all(parts.cluster.servers.map(runOn));
}

/** Cancels an order, adds a note to it, or records its payment. */
export async function changeOrder(parts: HistoryParts): Promise<void> {
  const { scheduler, cluster, model } = parts;
  if (model.orders.size === 0) return;
  const id = scheduler.random.pick([...model.orders]);
  const change = (operation: Parameters<ReturnType<typeof cluster.pick>["orders"]["change"]>[1]) =>
    send(
      parts,
      cluster.pick(),
      (server) => server.orders.change(id, operation, { by: merchant, now: getTime(server) }),
      orderProblems,
    );
  const type = scheduler.random.pick(["cancel", "note", "pay"] as const);
  if (type === "note") {
    const text = `note ${model.notes.size + 1}`;
    model.notes.set(text, "unknown");
    model.notes.set(text, (await change({ type, text })).outcome);
  } else if (type === "pay") await change({ type, reference: `transfer ${cluster.newId()}` });
  else if ((await change({ type, note: "" })).outcome === "applied") model.canceledOrders.add(id);
}

/** Adds units to stock, as a warehouse system does. */
export async function restock(parts: HistoryParts): Promise<void> {
  const { scheduler, cluster, model } = parts;
  const [variantId, quantity] = scheduler.random.pick([...catalogStock].filter(([, stock]) => stock !== undefined));
  const restocks = model.restocks.get(variantId) ?? [];
  model.restocks.set(variantId, restocks);
  // Each sum of these amounts belongs to one set of writes.
  const units = 2 ** restocks.length;
  const key = cluster.newId();
  const index = restocks.push({ units, outcome: "unknown" }) - 1;
  const outcomes: Outcome[] = [];
  const batch = {
    absolute: [],
    expected: [],
    relative: [{ variantId, units, ...toCatalogQuantity(quantity) }],
    revision: 1,
  };
  for (let attempt = 0; attempt < MAX_ATTEMPTS && !outcomes.includes("applied"); attempt += 1) {
    const { value, outcome } = await send(parts, cluster.pick(), (server) =>
      server.stock.change(batch, { scope: "api", key, fingerprint: key }, getTime(server)),
    );
    const isLate = value === "too late";
    if (typeof value === "string" && !isLate) model.violations.add(`a stock change was answered with "${value}"`);
    outcomes.push(isLate ? "rejected" : outcome);
    await scheduler.wait();
  }
  restocks[index] = { units, outcome: mergeOutcomes(outcomes) };
}

function toCatalogQuantity(quantity: number | undefined): { readonly quantity?: number } {
  return quantity === undefined ? {} : { quantity };
}
