import assert from "node:assert/strict";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { startDemo } from "../support/browser.ts";

const demo = await startDemo(undefined, { isWritten: true });
after(() => demo.close());

/** Replaces a file of the theme atomically.  @returns a function that restores the file */
async function change(file: string, edit: (text: string) => string): Promise<() => Promise<void>> {
  const path = join(demo.storeDir, "theme", file);
  const text = await readFile(path, "utf8");
  const write = async (content: string): Promise<void> => {
    const aside = join(demo.storeDir, "being-written");
    await writeFile(aside, content);
    await rename(aside, path);
  };
  await write(edit(text));
  return () => write(text);
}

test("a saved theme file updates the open page and preserves cart, input, focus and scroll position", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  const drawer = page.getByRole("dialog", { name: "Cart" });
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await drawer.waitFor();
  await drawer.locator(".totals__total dd").filter({ hasText: "$148.00" }).first().waitFor();
  await change("sections/footer.liquid", (text) => `<p>New below</p>${text}`);
  await page.locator("#store-section-footer").getByText("New below").waitFor({ state: "attached" });
  await change("sections/cart-drawer.liquid", (text) => `<p>New in the drawer</p>${text}`);
  await drawer.getByText("New in the drawer").waitFor();
  assert.ok(await page.locator("dialog:modal").isVisible());
  await page.keyboard.press("Escape");

  const amount = page.locator("product-form input[name=quantity]");
  await amount.fill("3");
  await page.evaluate("scrollTo({ top: 240, behavior: 'instant' })");
  await change("snippets/buy-buttons.liquid", (text) => `${text}<p>New to buy</p>`);
  await page.getByText("New to buy").first().waitFor();
  const heading = page.getByRole("heading", { name: "Raincoat", level: 1 });
  const show = await change("assets/theme.css", (text) => `${text}\nh1 { visibility: hidden }`);
  await heading.waitFor({ state: "hidden" });
  await show();
  await heading.waitFor();
  assert.equal(await amount.inputValue(), "3");
  await page.locator("product-form input[name=quantity]:focus").waitFor();
  assert.equal(await page.evaluate("scrollY"), 240);

  // A change outside the sections reloads the page at the same scroll position.
  const loaded = page.waitForEvent("load");
  await change("layout/theme.liquid", (text) => text.replace("</main>", "</main><p>New around</p>"));
  await loaded;
  await page.getByText("New around").waitFor();
  assert.equal(await page.evaluate("scrollY"), 240);
  assert.equal(await amount.inputValue(), "3");
  await page.getByRole("link", { name: /^Cart, 1 item/ }).waitFor();
  await close();
});

test("a broken file shows the error over the last valid page until it is fixed", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  const errors = page.getByRole("complementary", { name: "Errors in the store's files" });
  assert.equal(await errors.count(), 0);
  const restore = await change("sections/main-product.liquid", (text) => text.replace("{%- endfor", "{%- endfro"));
  await errors
    .getByText(/^theme\/sections\/main-product\.liquid:\d+:\d+$/)
    .first()
    .waitFor();
  await errors
    .getByText(/endfro/)
    .first()
    .waitFor();
  await page.getByRole("heading", { name: "Raincoat", level: 1 }).waitFor();
  await page.keyboard.press("Tab");
  await errors.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: /^1 error/ }).waitFor();
  await restore();
  await page.locator("vitrine-dev").waitFor({ state: "detached" });

  const back = await change(
    "sections/related-products.liquid",
    (text) => `{% for i in (1..9000) %}{% for j in (1..9000) %}{{ i }}{% endfor %}{% endfor %}${text}`,
  );
  await errors
    .getByText(/takes more than 500000 steps/)
    .first()
    .waitFor();
  // After a reload, the page shows the error in place of the section.
  await page.reload();
  await page
    .locator("vitrine-error")
    .getByText(/related-products\.liquid:1/)
    .waitFor();
  await back();
  await page.locator("vitrine-error").waitFor({ state: "detached" });
  await page.locator("vitrine-dev").waitFor({ state: "detached" });
  await close();
});
