import assert from "node:assert/strict";
import { add } from "./assertions.ts";
import { variant } from "./catalog.ts";
import type { Client } from "./client.ts";

/**
 * Places an order by invoice, in a shop without shipping rates.
 * @param id id of the variant
 * @returns the path of the order's page
 */
export async function placeOrder(
  client: Client,
  email = "ada@example.com",
  prefix = "",
  { id = variant.unlimited as number, quantity = 1 } = {},
): Promise<string> {
  await add(client, id, quantity);
  const url = String((await client.get(`${prefix}/checkout`)).headers.location);
  const page = await client.get(url);
  const [, checkout = ""] = /name="checkout" value="([^"]+)"/.exec(page.text) ?? [];
  const address = { address1: "Pier 1", zip: "20457", city: "Hamburg", country: "DE", quoted_country: "DE" };
  const fields = { csrf_token: await client.token(), checkout, email, name: "Ada Quay", ...address, order: "" };
  const reply = await client.send("POST", url, {
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html", "sec-fetch-mode": "navigate" },
    body: new URLSearchParams(fields).toString(),
  });
  assert.equal(reply.status, 303, reply.text);
  return String(reply.headers.location);
}
