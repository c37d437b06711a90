import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedDemo } from "../support/browser.ts";

const demo = await sharedDemo();

const languages = [
  {
    code: "fr",
    title: "Imperméable",
    search: "Rechercher dans la boutique",
    typed: "imper",
    add: "Ajouter au panier",
    cart: "Panier",
    price: /148,00\s\$/,
  },
  {
    code: "ja",
    title: "レインコート",
    search: "商品を検索",
    typed: "レイン",
    add: "カートに入れる",
    cart: "カート",
    price: /\$148\.00/,
  },
  {
    code: "ar",
    title: "معطف المطر",
    search: "البحث في المتجر",
    typed: "معطف",
    add: "أضف إلى السلة",
    cart: "السلة",
    price: /148\.00\sUS\$/,
  },
];
for (const { code, title, search, typed, add, cart, price } of languages) {
  test(`in ${code}: search, product, drawer and cart page are in its language`, async () => {
    const { page, close } = await demo.open(`/${code}/`);
    assert.equal(await page.locator("html").getAttribute("lang"), code);
    await page.getByRole("combobox", { name: search }).pressSequentially(typed);
    const option = page.getByRole("listbox").getByRole("option", { name: new RegExp(`^${title} Ansty`) });
    await Promise.all([page.waitForURL(`**/${code}/products/raincoat**`), option.click()]);
    assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), title);
    await page.getByRole("button", { name: add, exact: true }).first().click();
    const drawer = page.getByRole("dialog", { name: cart });
    await drawer.getByText(price).first().waitFor();
    assert.ok((await drawer.innerText()).includes(title));
    await page.goto(`/${code}/cart`);
    assert.ok((await page.locator("main").innerText()).includes(title));
    assert.match(await page.locator("main").innerText(), price);
    await close();
  });
}

test("the Arabic page is mirrored: cart and drawer on the left, arrows to the left, no overflow", async () => {
  const { page, close } = await demo.open("/ar/products/raincoat", {
    viewport: { width: 360, height: 740 },
    reducedMotion: "reduce",
  });
  assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
  for (const path of ["/ar", "/ar/collections/rainwear", "/ar/search?q=rain", "/ar/cart", "/ar/products/raincoat"]) {
    await page.goto(path);
    const wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assert.ok(Number(wide) <= 0, `${path} is ${wide} px too wide`);
  }
  const bidi = await page.evaluate("getComputedStyle(document.querySelector('[name=q]')).unicodeBidi");
  assert.equal(bidi, "plaintext", "a typed text has its own direction");
  await page.setViewportSize({ width: 1_280, height: 800 });
  const left = async (selector: string): Promise<number> =>
    (await page.locator(selector).boundingBox())?.x ?? Number.NaN;
  assert.ok((await left(".header__cart")) < (await left(".header__search")));
  assert.ok((await left(".header__search")) < (await left(".header__name")));
  assert.ok((await left(".product__info")) < (await left(".product__media")));
  await page.getByRole("button", { name: "أضف إلى السلة", exact: true }).first().click();
  await page.locator("dialog[open] .line").waitFor();
  assert.equal(await left("dialog[open]"), 0);
  assert.ok((await left("dialog[open] .line__price")) < (await left("dialog[open] .line__title")));
  await page.keyboard.press("Escape");
  await page.getByRole("combobox").fill("معطف");
  await page.locator("#suggestion-all").waitFor();
  const arrow = await page.evaluate("getComputedStyle(document.querySelector('#suggestion-all .icon')).transform");
  assert.equal(arrow, "matrix(-1, 0, 0, 1, 0, 0)");
  await close();
});

test("every link of home page, menus and footer resolves", async () => {
  const { page, close } = await demo.open("/");
  const links = (await page.evaluate(
    "[...new Set([...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href')))]",
  )) as string[];
  const shopLinks = links.filter((href) => href.startsWith("/"));
  assert.ok(shopLinks.length > 10);
  for (const href of shopLinks) {
    const reply = await page.request.get(`${demo.origin}${href}`);
    assert.equal(reply.status(), 200, href);
  }
  await close();
});

test("items sold by weight show their unit price on card, variant and cart", async () => {
  const { page, close } = await demo.open("/collections/all?filter.p.vendor=Blue+Kettle");
  await page.getByText("$18.00/100 g").waitFor();
  await page.goto("/products/harbour-breakfast-tea");
  await page.locator("[data-variant-facts]").getByText("$12.00/100 g").waitFor();
  await page.getByRole("radio", { name: "250 g" }).check();
  await page.locator("[data-variant-facts]").getByText("$10.40/100 g").waitFor();
  await page.getByRole("button", { name: "Add to cart" }).first().click();
  await page.getByRole("dialog").getByText("$10.40/100 g").waitFor();
  await close();
});

test("a missing page shows a 404 page in the store's design", async () => {
  const { page, close } = await demo.open("/nowhere");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await close({ failures: [/404/] });
});
