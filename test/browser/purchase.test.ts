import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { sign } from "../../examples/signed-form/signed-form.ts";
import { startDemo } from "../support/browser.ts";
import { openByEnter, tabToElement } from "../support/keyboard.ts";

const key = "shared-with-the-provider";

/** Payment provider with a one-button page, which returns to the store with a signed result. */
const provider = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const sentFields = Object.fromEntries(new URLSearchParams(body));
  const { order = "", amount = "", currency = "", return_url = "" } = sentFields;
  const fields = { merchant: "harbour", order, amount, currency, payment: `p-${order}`, status: "paid" };
  const hidden = Object.entries({ ...fields, signature: sign(fields, key) })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
    .join("");
  response
    .writeHead(200, { "content-type": "text/html; charset=utf-8" })
    .end(
      `<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:,"><form method="post" action="${return_url}">${hidden}<button>Pay ${amount} ${currency}</button></form></html>`,
    );
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/start`;
const example = new URL("../../examples/signed-form/signed-form.ts", import.meta.url).href;
const hooks = `import { defineHooks } from "vitrine"; import { signedForm } from ${JSON.stringify(example)}; export default defineHooks({ payment: signedForm({ address: ${JSON.stringify(address)}, merchant: "harbour", key: ${JSON.stringify(key)} }) });`;

/** Folder for screenshots of the pages. If undefined, none are saved. */
const screenshots = process.env.VITRINE_PICTURES;

const hookDemo = await startDemo(undefined, { hooks });
const foreign = await startDemo(fileURLToPath(new URL("../fixtures/foreign-theme", import.meta.url)), { hooks });
after(() => Promise.all([hookDemo.close(), foreign.close(), provider.close()]));

for (const { name, demo, width } of [
  { name: "demo", demo: hookDemo, width: 1280 },
  { name: "demo", demo: hookDemo, width: 390 },
  { name: "foreign", demo: foreign, width: 390 },
])
  test(`a purchase from ${demo === hookDemo ? "search" : "a product"} to the order status, paid at a provider, by keyboard${demo === hookDemo ? " and without JavaScript" : ""}: ${name}, ${width} px`, async () => {
    const { page, close } = await demo.open(demo === hookDemo ? "/" : "/products/rain-gauge", {
      // With JavaScript, the script of `compat` adds the CSRF token to forms of a foreign theme.
      javaScriptEnabled: demo === foreign,
      viewport: { width, height: 900 },
    });
    const takeScreenshot = async (step: string): Promise<void> => {
      if (screenshots !== undefined)
        await page.screenshot({ path: `${screenshots}/${name}-${width}-${step}.png`, fullPage: true });
    };
    if (demo === hookDemo) {
      await tabToElement(page, "input[name=q]");
      await page.keyboard.type("rain gauge");
      await openByEnter(page);
      await tabToElement(page, "main a[href*='/products/rain-gauge']");
      await openByEnter(page);
    }
    await tabToElement(page, "form:is([action='/cart'], [action='/cart/add']) [type=submit]");
    if (demo === hookDemo) {
      await openByEnter(page);
      await tabToElement(page, "main button[name=checkout]");
      await openByEnter(page);
    } else {
      await Promise.all([page.waitForResponse(/\/cart\/add/), page.keyboard.press("Enter")]);
      await page.goto("/checkout");
    }
    for (const [field, text] of [
      ["email", "ada@example.com"],
      ["name", "Ada Quay"],
      ["address1", "Pier 1"],
      ["zip", "20457"],
      ["city", "Hamburg"],
      ["province", ""],
    ] as const) {
      await tabToElement(page, `#order-${field}`);
      // A list of states is a select element.
      if (field === "province") await page.keyboard.press("ArrowDown");
      else await page.keyboard.type(text);
    }
    await tabToElement(page, "input[name=shipping]");
    await page.keyboard.press("Space");
    await takeScreenshot("1-checkout");
    await tabToElement(page, "form > button[name=pay]:not([aria-hidden])");
    await openByEnter(page);
    await takeScreenshot("2-payment");
    await tabToElement(page, "form[action^='http'] button");
    await openByEnter(page);
    await tabToElement(page, "button");
    await openByEnter(page);
    assert.match(page.url(), /\/orders\/.*thank_you=true$/);
    assert.match(await page.locator("main").innerText(), /#10\d\d[\s\S]*Paid[\s\S]*Rain Gauge[\s\S]*Ada Quay/i);
    await takeScreenshot("3-thanks");
    await page.goto(page.url().split("?")[0] ?? "");
    await takeScreenshot("4-status");
    assert.match(await page.locator("h1").first().innerText(), /#10\d\d/);
    await close();
  });
