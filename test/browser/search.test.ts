import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { sharedDemo } from "../support/browser.ts";

const demo = await sharedDemo();

const field = (page: Page): Locator => page.getByRole("combobox", { name: "Search the shop" });
const list = (page: Page): Locator => page.getByRole("listbox", { name: "Suggestions" });

test("typing shows suggestions", async () => {
  const { page, close } = await demo.open("/");
  await field(page).pressSequentially("rai", { delay: 30 });
  await list(page).waitFor();
  const texts = await list(page).getByRole("option").allInnerTexts();
  assert.ok(
    texts.some((text) => text.includes("Raincoat")),
    texts.join(" / "),
  );
  assert.equal(await field(page).getAttribute("aria-expanded"), "true");
  assert.match(String(await page.getByRole("status").allTextContents()), /\d+ suggestions/);
  await close();
});

test("arrow keys move through the suggestions, and Enter opens one", async () => {
  const { page, close } = await demo.open("/");
  await field(page).pressSequentially("rai");
  await list(page).waitFor();
  const options = list(page).getByRole("option");
  await page.keyboard.press("ArrowDown");
  assert.equal(await options.nth(0).getAttribute("aria-selected"), "true");
  assert.equal(await field(page).getAttribute("aria-activedescendant"), await options.nth(0).getAttribute("id"));
  await page.keyboard.press("ArrowDown");
  assert.equal(await options.nth(0).getAttribute("aria-selected"), "false");
  await page.keyboard.press("ArrowUp");
  assert.equal(await options.nth(0).getAttribute("aria-selected"), "true");

  const hrefs = await options.evaluateAll((links) => links.map((link) => String(link.getAttribute("href"))));
  const place = hrefs.findIndex((href) => href.startsWith("/products/"));
  assert.ok(place >= 0, hrefs.join(" "));
  for (let at = 0; at < place; at += 1) await page.keyboard.press("ArrowDown");
  await Promise.all([page.waitForURL(`**${hrefs[place]}`), page.keyboard.press("Enter")]);
  assert.ok(await page.getByRole("heading", { level: 1 }).innerText());
  await close();
});

test("Enter without a selection opens the full results", async () => {
  const { page, close } = await demo.open("/");
  await field(page).fill("rain");
  await Promise.all([page.waitForURL("**/search?q=rain"), page.keyboard.press("Enter")]);
  await page.locator("main").getByRole("link", { name: "Raincoat", exact: true }).waitFor();
  await close();
});

test("Escape closes the suggestions and preserves the input", async () => {
  const { page, close } = await demo.open("/");
  await field(page).pressSequentially("rai");
  await list(page).waitFor();
  await page.keyboard.press("Escape");
  await list(page).waitFor({ state: "hidden" });
  assert.equal(await field(page).getAttribute("aria-expanded"), "false");
  assert.equal(await field(page).inputValue(), "rai");
  await close();
});

test("products are next to searches on a wide screen, and no row is cut off", async () => {
  for (const [width, height] of [
    [1_280, 800],
    [1_280, 460],
    [390, 620],
  ] as const) {
    const { page, close } = await demo.open("/", { viewport: { width, height } });
    await field(page).pressSequentially("ra");
    await list(page).waitFor();
    const layout = (await page.evaluate(`(() => {
      const box = (one) => one.getBoundingClientRect();
      const end = box(document.querySelector("#suggestion-all")).top;
      const cut = [...document.querySelectorAll(".suggestion:not(.suggestion--all)")].filter((row) => box(row).top < end - 1 && box(row).bottom > end + 1);
      const searches = box(document.querySelector("[aria-labelledby=suggestion-queries]"));
      const products = box(document.querySelector("[aria-labelledby=suggestion-products]"));
      return {
        cut: cut.map((row) => row.textContent),
        isBeside: products.left >= searches.right && Math.abs(products.top - searches.top) < 1,
        isWhole: box(document.querySelector("[data-panel]")).bottom <= innerHeight,
      };
    })()`)) as { readonly cut: readonly string[]; readonly isBeside: boolean; readonly isWhole: boolean };
    assert.deepEqual(layout, { cut: [], isBeside: width === 1_280, isWhole: true }, `${width} x ${height}`);
    await close();
  }
});

test("the clear button empties the search, and the field has the focus", async () => {
  const { page, close } = await demo.open("/");
  const clear = page.getByRole("button", { name: "Clear search" });
  assert.equal(await clear.isVisible(), false);
  await field(page).pressSequentially("rai");
  await list(page).waitFor();
  await clear.click();
  await list(page).waitFor({ state: "hidden" });
  assert.equal(await field(page).inputValue(), "");
  assert.equal(await field(page).evaluate((input) => input === input.ownerDocument.activeElement), true);
  assert.equal(await clear.isVisible(), false);
  await close();
});

test("the search page has one field and separates result types", async () => {
  const { page, close } = await demo.open("/search?q=lantern");
  assert.equal(
    await page
      .getByRole("searchbox")
      .or(page.getByRole("combobox", { name: /earch/ }))
      .count(),
    1,
  );
  const kinds = await page.locator(".found__heading").allInnerTexts();
  assert.ok(kinds.length >= 3 && kinds[0] === "Products", kinds.join(" / "));
  for (const kind of kinds) await page.getByRole("region", { name: kind, exact: true }).first().waitFor();
  const articles = page.getByRole("region", { name: "Articles", exact: true }).first();
  assert.equal(await articles.locator("a[href^='/products/']").count(), 0);
  await page.getByRole("navigation", { name: "Result types" }).getByRole("link", { name: "Articles" }).click();
  await page.waitForURL("**#found-articles");
  await close();
});

test("leaving the field closes the suggestions, and a click on a suggestion opens it", async () => {
  const { page, close } = await demo.open("/");
  await field(page).pressSequentially("rainc");
  await list(page).waitFor();
  await page.getByRole("heading", { level: 2 }).first().click();
  await list(page).waitFor({ state: "hidden" });
  await field(page).focus();
  await list(page).waitFor();
  const option = list(page).getByRole("option", { name: /^Raincoat Ansty/ });
  await Promise.all([page.waitForURL("**/products/raincoat**"), option.click()]);
  await close();
});

test("fast typing shows no results older than the last keystroke", async () => {
  const { page, close } = await demo.open("/");
  // Responses to the first letters are delayed until after the last response.
  await page.route("**/search/suggest?*", async (route) => {
    const typed = new URL(route.request().url()).searchParams.get("q") ?? "";
    await new Promise((resolve) => setTimeout(resolve, typed.length < 5 ? 900 - typed.length * 150 : 0));
    await route.continue().catch(() => undefined);
  });
  const lists: string[] = [];
  await page.exposeFunction("reportShown", (text: string) => lists.push(text));
  await page.evaluate(
    "new MutationObserver(() => { const all = document.querySelector('#suggestion-all'); if (all && !all.closest('[hidden]')) reportShown(document.querySelector('#header-search').value + '|' + all.textContent) }).observe(document.querySelector('[data-panel]'), { childList: true, attributes: true })",
  );
  await field(page).pressSequentially("rainc", { delay: 130 });
  await list(page).getByRole("option", { name: /rainc/ }).last().waitFor();
  await page.waitForTimeout(1_000);
  assert.ok(lists.length > 0);
  for (const line of lists) {
    const [typed = "", text = ""] = line.split("|");
    assert.ok(text.includes(`“${typed}”`), `${text} was shown when "${typed}" was in the field`);
  }
  assert.match(await list(page).innerText(), /“rainc”/);
  await close({ failures: [/aborted|ERR_/i] });
});

test("an empty result shows a message", async () => {
  const { page, close } = await demo.open("/");
  await field(page).fill("zzqqxx");
  await page.getByText("No results for “zzqqxx”").first().waitFor();
  await close();
});

test("typed markup is shown as text", async () => {
  const { page, close } = await demo.open("/");
  await field(page).fill("<img src=x onerror=alert(1)>");
  await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
  assert.equal(await page.locator("[data-panel] img[src=x]").count(), 0);
  await close();
});

test("the accessibility tree of the open suggestions: a combobox and a listbox of named options in groups", async () => {
  const { page, close } = await demo.open("/");
  await field(page).pressSequentially("rai");
  await list(page).waitFor();
  await page.keyboard.press("ArrowDown");
  const tree = await page.locator("predictive-search").ariaSnapshot();
  assert.match(tree, /- combobox "Search the shop" \[expanded\](.*\n)/);
  assert.match(tree, /- listbox "Suggestions":/);
  assert.match(tree, /- group "Products":/);
  assert.match(tree, /- option "[^"]*Raincoat[^"]*"/);
  assert.match(tree, /- option "[^"]+" \[selected\]/);
  assert.doesNotMatch(tree, /- option( \[|:|$)/m, "every option has a name");
  await close();
});

test("without JavaScript the search form works", async () => {
  const { page, close } = await demo.open("/", { javaScriptEnabled: false });
  await page.getByRole("searchbox", { name: "Search the shop" }).fill("raincoat");
  await Promise.all([page.waitForURL("**/search?q=raincoat"), page.keyboard.press("Enter")]);
  assert.ok((await page.locator("main").innerText()).includes("Raincoat"));
  await page.locator("main").getByRole("link", { name: "Raincoat" }).first().click();
  await page.waitForURL("**/products/**");
  await close();
});
