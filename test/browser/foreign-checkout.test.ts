import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startDemo } from "../support/browser.ts";

const jquery = createRequire(import.meta.url).resolve("jquery/dist/jquery.js");
const demo = await startDemo(fileURLToPath(new URL("../fixtures/foreign-theme", import.meta.url)));
after(() => demo.close());

test("the checkout in a foreign theme shows a plain square instead of an image that cannot be loaded", async () => {
  const { page, close } = await demo.open("/products/rain-gauge");
  await page.route("**/media/**", (route) => route.fulfill({ status: 404 }));
  await Promise.all([page.waitForURL("**/cart"), page.getByRole("button", { name: "Add plainly" }).click()]);
  await page.goto("/checkout");
  await page.waitForFunction("document.querySelector('li img').complete");
  // Browsers create the pseudo-element only if the image cannot be loaded.
  const size = `(({ width, height }) => [width, height])(getComputedStyle(document.querySelector("li img"), "::before"))`;
  const [width, height] = (await page.evaluate(size)) as readonly string[];
  assert.match(String(width), /^\d+px$/);
  assert.equal(height, width);
  await close({ failures: [/404/] });
});

test("scripts of older themes show the form of an address instead of the address", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  const displays = await page.evaluate(`(() => {
    const elements = ["view", "edit"].map((name) => {
      const element = Object.assign(document.createElement("div"), { id: name + "_address_7" });
      element.style.display = name === "edit" ? "none" : "";
      document.body.append(element);
      return element;
    });
    Shopify.CustomerAddress.toggleForm(7);
    return elements.map((element) => element.style.display);
  })()`);
  assert.deepEqual(displays, ["none", ""]);
  await close();
});

test("option pickers of older themes follow a change that jQuery triggers", async () => {
  const { page, close } = await demo.open("/products/raincoat?variant=102");
  await page.evaluate(await readFile(jquery, "utf8"));
  const chosen = await page.evaluate(`(async () => {
    const product = await new Promise((done) => Shopify.getProduct("raincoat", done));
    const list = document.createElement("select");
    list.append(...product.variants.map(({ id, title }) => new Option(title, id)));
    document.body.append(list);
    new Shopify.OptionSelectors(list, { product });
    jQuery(".single-option-selector").eq(1).val("Yellow").trigger("change");
    return list.value;
  })()`);
  assert.equal(chosen, "101");
  await close();
});

test("a link that a theme's script handles, even on the window, does not change the cart a second time", async () => {
  const { page, close } = await demo.open("/products/rain-gauge");
  await Promise.all([page.waitForURL("**/cart"), page.getByRole("button", { name: "Add plainly" }).click()]);
  await page.evaluate(`
    window.submitted = 0;
    HTMLFormElement.prototype.submit = () => window.submitted++;
    addEventListener("click", (event) => window.isHandled && event.preventDefault());`);
  for (const isHandled of [true, false, true]) {
    await page.evaluate(`Object.assign(window, { isHandled: ${isHandled}, submitted: 0 })`);
    await page.getByRole("link", { name: "Remove plainly" }).click();
    assert.equal(await page.evaluate("window.submitted"), isHandled ? 0 : 1);
  }
  await close();
});
