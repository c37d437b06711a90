import assert from "node:assert/strict";
import type { Client, Reply } from "./client.ts";
import type { SuggestJson } from "./replies.ts";
import type { TestShop } from "./shop.ts";

/** Sends a form of the console. */
export function postForm(
  shop: Pick<TestShop, "origin">,
  client: Client,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Reply> {
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: shop.origin };
  return client.send("POST", path, { headers, body: new URLSearchParams(fields).toString() });
}

/** Sends a file to the page with stock and prices as CSV, or a form of this page. */
export async function postCsvForm(
  shop: Pick<TestShop, "origin">,
  client: Client,
  fields: Readonly<Record<string, string | File>>,
): Promise<Reply> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const request = new Request(shop.origin, { method: "POST", body: form });
  return client.send("POST", "/admin/csv", {
    headers: { "content-type": request.headers.get("content-type") ?? "", origin: shop.origin },
    body: Buffer.from(await request.arrayBuffer()),
  });
}

/** Returns the handles of the suggested products, as a visitor sees them. */
export async function findHandles(shop: Pick<TestShop, "client">, q: string): Promise<readonly string[]> {
  const reply = await shop.client().get(`/search/suggest.json?resources[type]=product&q=${encodeURIComponent(q)}`);
  return reply.json<SuggestJson>().resources.results.products.map(({ handle }) => String(handle));
}

/** Logs in to the console.  @returns the client with its session, and the secret of its forms */
export async function logIn(
  shop: Pick<TestShop, "origin" | "client">,
  token: string,
): Promise<{ readonly client: Client; readonly csrf: string }> {
  const client = shop.client();
  assert.equal((await postForm(shop, client, "/admin/login", { token })).status, 303);
  const [, csrf = ""] = /name="csrf" value="([\w-]+)"/.exec((await client.get("/admin")).text) ?? [];
  assert.notEqual(csrf, "");
  return { client, csrf };
}
