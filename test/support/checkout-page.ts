import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Client, Reply } from "./client.ts";

/** Address that a shopper enters in the checkout form. */
export const address = {
  email: "ada@example.com",
  name: "Ada Quay",
  address1: "Pier 1",
  zip: "20457",
  city: "Hamburg",
  country: "DE",
  quoted_country: "DE",
};

/**
 * Enters an address in the checkout form of a page, and selects the first shipping method. In a country with states,
 * selects the first one.
 */
export async function fillOrderForm(page: Page, zip: string): Promise<void> {
  const { email, name, address1, city } = address;
  for (const [field, text] of Object.entries({ email, name, address1, zip, city }))
    await page.locator(`#order-${field}`).fill(text);
  const provinces = page.locator("select#order-province");
  if ((await provinces.count()) > 0) await provinces.selectOption({ index: 1 });
  await page.locator("input[name=shipping]").first().check();
}

export interface CheckoutPage {
  readonly url: string;
  readonly page: string;
}

/** Opens the checkout page of a client's cart.  @param prefix locale prefix, such as "" or "/fr" */
export async function checkoutOf(client: Client, prefix = ""): Promise<CheckoutPage> {
  const url = String((await client.get(`${prefix}/checkout`)).headers.location);
  const { status, text } = await client.get(url);
  assert.equal(status, 200);
  return { url, page: text };
}

/** Submits the form of the page with the shopper's input. */
export async function submit(
  client: Client,
  { url, page }: CheckoutPage,
  fields: Readonly<Record<string, string>>,
): Promise<Reply> {
  const [, checkout = ""] = /name="checkout" value="([^"]+)"/.exec(page) ?? [];
  return client.send("POST", url, {
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html", "sec-fetch-mode": "navigate" },
    body: new URLSearchParams({ csrf_token: await client.token(), checkout, ...fields }).toString(),
  });
}
