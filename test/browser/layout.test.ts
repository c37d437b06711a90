import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { violations } from "../support/axe.ts";
import { startDemo } from "../support/browser.ts";
import { fillOrderForm } from "../support/checkout-page.ts";
import { customerToken } from "../support/customer-token.ts";
import { toJsonl } from "../support/shop.ts";

const address = {
  first_name: "Ada",
  last_name: "Byron",
  address1: "1 Quay",
  city: "Bristol",
  country: "United Kingdom",
};
const source = await mkdtemp(join(tmpdir(), "vitrine-layout-"));
await cp(fileURLToPath(new URL("../../examples/harbour-outfitters", import.meta.url)), source, { recursive: true });
await writeFile(
  join(source, "catalog", "people.jsonl"),
  toJsonl([
    { kind: "customer", id: 9, email: "ada@example.test", first_name: "Ada", last_name: "Byron", addresses: [address] },
    { kind: "gift_card", code: "GIFT-AAAA-1234", balance: 1_000 },
  ]),
);
const demo = await startDemo(undefined, {
  source,
  config: { name: "Harbour Outfitters of Pellhaven and Sons", customers: { accounts: true } },
});
after(async () => {
  await demo.close();
  await rm(source, { recursive: true });
});

interface State {
  readonly path: string;
  readonly act?: (page: Page) => Promise<unknown>;
  /** Selector of the inspected element, for a dialog over the page. Default: the whole page. */
  readonly root?: string;
}

const fillCart = async (page: Page): Promise<void> => {
  for (const path of ["/products/rain-trousers", "/products/boot-socks"]) {
    await page.goto(path);
    await page.locator("[data-add-button]").first().click();
    await page.locator("dialog[open] .line").first().waitFor();
  }
};
const signIn = async (page: Page): Promise<void> => {
  const secret = (await readFile(join(demo.storeDir, "data", "secret"), "utf8")).trim();
  await page.context().addCookies([{ name: "customer", value: customerToken("9", { secret }), url: demo.origin }]);
};
const order = async (page: Page): Promise<void> => {
  await fillCart(page);
  await page.goto("/checkout");
  await fillOrderForm(page, "20457");
  await page.getByRole("button", { name: "Place order" }).click();
  await page.waitForURL("**/orders/**");
};

/** Page states that other tests check with axe. */
const states: Readonly<Record<string, State>> = {
  index: { path: "/" },
  product: { path: "/products/raincoat?variant=104" },
  "product, one image": { path: "/products/digital-tide-table" },
  collection: { path: "/collections/rainwear?filter.p.vendor=Ansty+Oilskins&filter.v.price.lte=100" },
  "open filter": {
    path: "/collections/rainwear",
    act: (page) => page.locator("summary", { hasText: "Vendor" }).click(),
    root: ".filter[open] .filter__panel",
  },
  "list-collections": { path: "/collections" },
  "search, found": { path: "/search?q=lantern" },
  "search, not found": { path: "/search?q=zzqqxx" },
  suggestions: {
    path: "/",
    act: async (page) => {
      await page.locator("#header-search").fill("rai");
      await page.getByRole("option", { name: /^Raincoat/ }).waitFor();
    },
    root: ".suggestions",
  },
  bundle: { path: "/bundles/sunday-mending-box" },
  drawer: { path: "/", act: fillCart, root: "dialog[open]" },
  cart: { path: "/", act: async (page) => fillCart(page).then(() => page.goto("/cart")) },
  "cart, empty": { path: "/cart" },
  checkout: { path: "/", act: async (page) => fillCart(page).then(() => page.goto("/checkout")) },
  page: { path: "/pages/size-guide" },
  blog: { path: "/blogs/tide-notes" },
  article: { path: "/blogs/workbench/oiling-an-oilskin" },
  404: { path: "/nowhere" },
  "index, Arabic": { path: "/ar" },
  "product, Arabic": { path: "/ar/products/raincoat?variant=104" },
  order: { path: "/", act: order },
};
/** Page states that this file also checks with axe. */
const accountStates: Readonly<Record<string, State>> = {
  login: { path: "/account/login" },
  register: { path: "/account/register" },
  "activate account": { path: "/account/activate/9/abc" },
  "reset password": { path: "/account/reset/9/abc" },
  account: { path: "/", act: async (page) => signIn(page).then(() => page.goto("/account")) },
  addresses: { path: "/", act: async (page) => signIn(page).then(() => page.goto("/account/addresses")) },
  "gift card": { path: "/gift_cards/GIFT-AAAA-1234" },
};

/**
 * Returns a script that lists layout errors: elements wider than the screen, overlapping text, click targets smaller
 * than 24 px, or a clipped store name.
 * @param minHeight minimum height of click targets in pixels
 */
const findLayoutErrors = (root: string, minHeight = 24): string => `(() => {
  const root = document.querySelector(${JSON.stringify(root)});
  const errors = new Set();
  const tooWide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (tooWide > 0) errors.add("the page is " + tooWide + " px too wide");
  const name = document.querySelector(".header__name");
  if (name !== null && name.scrollHeight > name.clientHeight + 2) errors.add("the store's name is clipped");
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && one.closest(".visually-hidden, .skip-link") === null;
  for (const one of root.querySelectorAll("a[href], button, summary, select, input:not([type=hidden])")) {
    const isInText = one.matches("a") && getComputedStyle(one).display === "inline";
    const isWidened = getComputedStyle(one, "::after").position === "absolute";
    if (!isSeen(one) || isInText || isWidened) continue;
    const { width, height } = (one.closest("label") ?? one).getBoundingClientRect();
    if (width < 24 || height < ${minHeight}) errors.add("a target of " + width + " x " + height + ": " + one.outerHTML.slice(0, 120));
  }
  /** Returns the part of a box that is visible inside scrolling or clipping ancestors. */
  const clipped = (box, element) => {
    let { left, right, top, bottom } = box;
    for (let at = element; at !== null; at = at.parentElement) {
      if (getComputedStyle(at).overflow === "visible") continue;
      const frame = at.getBoundingClientRect();
      left = Math.max(left, frame.left);
      right = Math.min(right, frame.right);
      top = Math.max(top, frame.top);
      bottom = Math.min(bottom, frame.bottom);
    }
    return { left, right, top, bottom };
  };
  /** Tests whether an element or an ancestor is sticky, so that it may cover scrolled content. */
  const isPinned = (one) => one !== null && (getComputedStyle(one).position === "sticky" || isPinned(one.parentElement));
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const parent = node.parentElement;
    if (node.data.trim() === "" || !isSeen(parent) || isPinned(parent) || parent.closest("script, style, template, select") !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) texts.push({ ...clipped(box, parent), parent, words: node.data.trim().slice(0, 40) });
  }
  for (const [place, one] of texts.entries())
    for (const other of texts.slice(place + 1)) {
      if (one.parent === other.parent) continue;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      // Boxes of adjacent text lines overlap slightly.
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (width > 2 && height > 6) errors.add("'" + one.words + "' overlaps '" + other.words + "'");
    }
  return [...errors];
})()`;

/** A word that is too wide for any column. It replaces each name. */
const longNames =
  "document.querySelectorAll('main :is(h1, h2, h3, legend, .prose li, .card__link, .line__title, .chip, .hint, .note, bdi), footer bdi').forEach((name) => { name.textContent = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenständer' })";

for (const [name, { path, act, root = "body" }] of Object.entries({ ...states, ...accountStates }))
  test(`no element of the template ${name} is too wide, clipped, too small or covered, from 320 to 1920 px and with any names`, async () => {
    const { page, close } = await demo.open(path, { reducedMotion: "reduce" });
    await act?.(page);
    const layoutErrors: string[] = [];
    if (name in accountStates) layoutErrors.push(...(await violations(page, [360, 1_440])));
    for (const words of ["its own", "long"]) {
      if (words === "long") await page.evaluate(longNames);
      for (const width of [320, 390, 768, 1_280, 1_920]) {
        await page.setViewportSize({ width, height: 900 });
        const errorsOfPage = (await page.evaluate(findLayoutErrors(root))) as readonly string[];
        layoutErrors.push(...errorsOfPage.map((error) => `${width} px, ${words} words: ${error}`));
      }
    }
    assert.deepEqual(layoutErrors, []);
    await close({ failures: [/404/] });
  });

test("on a touch screen, links and buttons are at least 44 px high", async () => {
  for (const path of ["/", "/collections/rainwear", "/nowhere"]) {
    const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page, close } = await demo.open(path, options);
    assert.deepEqual(await page.evaluate(findLayoutErrors("body", 44)), [], path);
    await close({ failures: [/404/] });
  }
});
