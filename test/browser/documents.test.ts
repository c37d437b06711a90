import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startDemo } from "../support/browser.ts";
import { createClient } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { signIn } from "../support/keyboard.ts";
import { placeOrder } from "../support/orders.ts";

const languages = ["ar", "de", "ja"];
const demo = await startDemo(undefined, {
  config: {
    // Amounts with three decimals are the widest.
    currency: "KWD",
    console: true,
    locales: { default: "en", others: languages },
    shipping: { countries: [], rates: [] },
    tax: { rates: { DE: 19 } },
    contact: { email: "office@harbour.example", address: { address1: "Am Kai 3", city: "Hamburg", country: "DE" } },
    invoices: {
      issue: true,
      name: "Harbour Outfitters of Pellhaven GmbH & Co. KG",
      vatId: "DE123456789",
      iban: "DE89 3704 0044 0532 0130 00",
      bic: "COBADEFFXXX",
    },
  },
});
after(demo.close);

test("invoices, credit notes, and packing slips fit into the width of a phone, in Arabic, German, and Japanese", async () => {
  const client = createClient(demo.origin);
  const { page, close } = await demo.open("/admin", { viewport: { width: 390, height: 844 } });
  await signIn(page, await createApiToken(demo, "console", "orders:read"));
  for (const [index, language] of languages.entries()) {
    const path = await placeOrder(client, `${language}@example.com`, `/${language}`, { id: 103, quantity: 15 });
    const number = String(1_001 + index);
    assert.equal((await runCommand(demo, "orders", "cancel", number)).code, 0);
    const documents = new Set((await client.get(path)).text.match(/\/[^"]+\/invoices\/[^".]+/g));
    assert.equal(documents.size, 2);
    for (const address of [...documents, `/admin/orders/${number}/packing-slip`]) {
      await page.goto(address);
      const width = await page.locator("html").evaluate((element) => element.scrollWidth);
      assert.ok(width <= 390, `${language} ${address}: ${width} px`);
    }
  }
  await close();
});
