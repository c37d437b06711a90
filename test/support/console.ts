import assert from "node:assert/strict";
import type { Client, Reply } from "./client.ts";
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

/** Logs in to the console.  @returns the client with its session, and the secret of its forms */
export async function logIn(
  shop: Pick<TestShop, "origin" | "client">,
  token: string,
): Promise<{ readonly client: Client; readonly csrf: string }> {
  const client = shop.client();
  assert.equal((await postForm(shop, client, "/admin/login", { token })).status, 303);
  const [, csrf = ""] = /name="csrf" value="([\w-]+)"/.exec((await client.get("/admin")).text) ?? [];
  return { client, csrf };
}
