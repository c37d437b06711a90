import assert from "node:assert/strict";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { createClient, VitrineError } from "@vitrine/client";
import { send } from "../../../test/support/client.ts";
import { startDemoShop } from "../../../test/support/demo-shop.ts";

const { origin, token } = await startDemoShop();
const shop = createClient({ origin });

const hasCode =
  (code: string, status: number) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof VitrineError, String(error));
    assert.deepEqual([error.code, error.status], [code, status]);
    assert.ok(error.message.length > 0);
    return true;
  };

test("reads suggestions, products, lists, and recommendations in the language of the client", async () => {
  const { results } = (await shop.suggest("raincoat", { types: ["product"], limit: 2 })).resources;
  assert.equal(results.products[0]?.handle, "raincoat");
  assert.equal((await shop.suggest("raincoat", { facets: true })).resources.facets?.[0]?.type, "list");
  const page = await shop.search("rain", {
    limit: 2,
    filters: { "filter.v.availability": ["1", "0"] },
    sortBy: "price-ascending",
  });
  assert.deepEqual([page.results.length, page.facets[0]?.values?.map(({ active }) => active)], [2, [true, true]]);
  assert.equal((await shop.product("raincoat")).title, "Raincoat");
  assert.equal((await shop.products({ limit: 3 })).length, 3);
  assert.ok((await shop.products({ collection: "rainwear" })).some(({ handle }) => handle === "raincoat"));
  assert.ok((await shop.collections()).some(({ handle }) => handle === "rainwear"));
  assert.equal((await shop.recommendations(1, { limit: 2, intent: "related" })).products.length, 2);
  const french = createClient({ origin, locale: "fr" });
  assert.match((await french.product("raincoat")).url, /^\/fr\//);
  await assert.rejects(shop.suggest(""), hasCode("invalid_parameter", 422));
  await assert.rejects(shop.product("nothing"), hasCode("not_found", 404));
});

test("writes and reads a cart with its token and cookies, which another client can continue", async () => {
  const cart = shop.cart();
  assert.equal((await cart.read()).id, null);
  const added = await cart.add({ id: 101, quantity: 2 });
  assert.deepEqual([added.item_count, added.added.length], [2, 1]);
  await cart.add([{ id: 102 }, { id: 103, properties: { Engraving: "S. S. Petrel" } }]);
  assert.equal((await cart.change({ key: added.key, quantity: 1 })).item_count, 3);
  const noted = await cart.update({ note: "By the back door", discount: "HARBOUR10" });
  assert.deepEqual([noted.note, noted.discount_codes], ["By the back door", [{ code: "HARBOUR10", applicable: true }]]);
  const later = createClient({ origin }).cart(cart.cookies());
  assert.equal((await later.read()).item_count, 3);
  assert.ok((await later.shippingRates("US")).shipping_rates.length > 0);
  await assert.rejects(
    later.shippingRates("nowhere"),
    (error) => error instanceof VitrineError && error.status === 422,
  );
  assert.equal((await later.clear()).line_count, 0);
  assert.match((await cart.buyNow({ item: { product: { variantId: 101 } } })).checkout_url, /^\/checkout\//);
});

test("simultaneous first writes create one cart; an error contains the cart and does not stop later writes", async () => {
  const cart = shop.cart();
  const [, refused, last] = await Promise.allSettled([
    cart.add({ id: 101 }),
    cart.add({ id: 101, quantity: 9_000 }),
    cart.add({ id: 102 }),
  ]);
  assert.ok(refused.status === "rejected" && hasCode("insufficient_stock", 422)(refused.reason));
  assert.equal(refused.reason.problem.cart.item_count, 1);
  assert.ok(last.status === "fulfilled" && last.value.item_count === 2);
  await assert.rejects(cart.clear({ ifMatch: 1 }), hasCode("cart_changed", 412));
  const key = { idempotencyKey: "once" };
  const [first, again] = [await cart.add({ id: 103 }, key), await cart.add({ id: 103 }, key)];
  assert.deepEqual([first.revision, first.item_count], [again.revision, again.item_count]);
});

test("renews an expired token once and completes the write", async () => {
  const cart = shop.cart({ csrf_token: "an.old.one" });
  assert.equal((await cart.add({ id: 101 })).item_count, 1);
});

test("changes stock, the catalog, checkouts, and orders with a token that has the scopes", async () => {
  await assert.rejects(shop.tokenInfo(), hasCode("unauthorized", 401));
  const merchant = createClient({
    origin,
    token: await token("stock:write,catalog:write,checkouts:read,checkouts:complete,orders:read,orders:write"),
  });
  assert.deepEqual((await merchant.tokenInfo()).scopes.length, 6);
  const stock = await merchant.stock.change([
    { variant_id: 104, quantity: 7 },
    { variant_id: 104, adjust: -2 },
  ]);
  assert.deepEqual(
    stock.lines.map(({ available }) => available),
    [5, 5],
  );
  const row = {
    kind: "page",
    id: 950,
    handle: "moorings",
    title: "Moorings",
    content: "<p>Ask at the quay.</p>",
  } as const;
  assert.equal((await merchant.catalog.edit(row)).changed, 1);
  await assert.rejects(merchant.catalog.edit({ kind: "page", id: 951 }), (error) => {
    assert.ok(hasCode("validation_failed", 400)(error) && error instanceof VitrineError);
    return error.problem.fields?.[0]?.line === 1;
  });
  const cart = merchant.cart();
  const { checkout_url: url } = await cart.buyNow({ item: { product: { variantId: 101 } } });
  const id = url.split("/").at(-1) ?? "";
  const cookie = Object.entries(cart.cookies())
    .map((pair) => pair.join("="))
    .join("; ");
  // A checkout page opens only for a request that accepts HTML, as browsers send it.
  assert.equal((await send(origin, "GET", url, { headers: { cookie, accept: "text/html" } })).status, 200);
  const { document } = await merchant.checkouts.read(id);
  const payment = { amount: document.amount, currency: document.currency, reference: "pay_1" };
  await assert.rejects(merchant.checkouts.complete(id, { ...payment, amount: 1 }), hasCode("amount_differs", 422));
  const [once, twice] = [
    await merchant.checkouts.complete(id, payment),
    await merchant.checkouts.complete(id, payment),
  ];
  assert.equal(once.order.payment_state, "paid");
  assert.deepEqual(once, twice);
  const { orders, next } = await merchant.orders.list({ paymentState: "paid", limit: 1 });
  assert.deepEqual([orders[0]?.id, next], [once.order.id, null]);
  assert.equal((await merchant.orders.read(once.order.number)).items[0]?.variant_id, "101");
  const sent = await merchant.orders.ship(once.order.id, { carrier: "DHL", tracking_number: "1" });
  assert.deepEqual([sent.shipment_state, sent.shipment?.tracking_number], ["shipped", "1"]);
  const later = await merchant.orders.ship(once.order.number, { tracking_number: "2" });
  assert.deepEqual(later.shipment, sent.shipment, "the first shipment stays");
  assert.deepEqual((await merchant.orders.list({ shipmentState: "unshipped" })).orders, []);
  await assert.rejects(
    merchant.orders.ship(once.order.id, { tracking_url: "javascript:alert(1)" }),
    hasCode("validation_failed", 400),
  );
  assert.equal((await merchant.orders.cancel(once.order.id, { note: "Asked by the customer" })).state, "cancelled");
  await assert.rejects(merchant.checkouts.read("none"), hasCode("not_found", 404));
});

test("repeats a request after Retry-After and after a lost response, and the write happens once", async () => {
  const front = await startFront(["busy", "lost"]);
  const cart = createClient({ origin: front.origin, pauses: [1, 1, 1] }).cart();
  await cart.read();
  const at = front.count();
  front.now(["busy", "lost"]);
  const cookiesFirst = await cart.add({ id: 105, quantity: 2 });
  assert.equal(cookiesFirst.item_count, 2);
  assert.equal((await cart.read()).item_count, 2);
  assert.ok(front.count() - at >= 4);
});

test("reports a long Retry-After and a missing response as errors, and a caller can cancel", async () => {
  const front = await startFront([]);
  const client = createClient({ origin: front.origin, pauses: [1] });
  front.now(["closed"]);
  await assert.rejects(client.suggest("boots"), (error) => {
    assert.ok(hasCode("overloaded", 503)(error) && error instanceof VitrineError);
    return error.retryAfter === 3_600;
  });
  front.now(["lost", "lost"]);
  await assert.rejects(client.suggest("boots"), hasCode("network", 0));
  const signal = AbortSignal.abort(new Error("canceled"));
  await assert.rejects(client.suggest("boots", { signal }), /canceled/);
});

type Fault = "busy" | "closed" | "lost";

/** Starts a proxy that answers the next requests with an error or drops the shop's responses. */
async function startFront(first: readonly Fault[]) {
  let faults = [...first];
  let count = 0;
  const front = createServer((incoming, outgoing) => {
    count += 1;
    const fault = faults.shift();
    if (fault === "busy" || fault === "closed") {
      incoming.resume();
      const body = { status: "503", message: "Service unavailable", description: "Try again." };
      const after = fault === "busy" ? "1" : "3600";
      outgoing.writeHead(503, { "content-type": "application/json", "retry-after": after }).end(JSON.stringify(body));
      return;
    }
    const { method, url, headers } = incoming;
    const passed = forward(origin + url, { method, headers: { ...headers, host: new URL(origin).host } }, (answer) => {
      if (fault === "lost") {
        answer.resume();
        return void answer.on("end", () => outgoing.destroy());
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  after(() => void front.close());
  return {
    origin: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    count: () => count,
    now: (next: readonly Fault[]) => {
      faults = [...next];
    },
  };
}
