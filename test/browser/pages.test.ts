import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startDemo } from "./browser.ts";

const demo = await startDemo();
after(() => demo.close());
const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const pages = [
  "/",
  "/products/raincoat",
  "/collections",
  "/collections/rainwear",
  "/search?q=rain",
  "/cart",
  "/pages/about",
  "/blogs/tide-notes",
  "/bundles/wet-weather-set",
];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

for (const path of pages) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`axe finds nothing serious on ${path} (${colorScheme})`, async () => {
      const { page, close } = await demo.open(path, { colorScheme, reducedMotion: "reduce" });
      await page.evaluate(axe);
      const found = (await page.evaluate("axe.run()")) as { violations: readonly Violation[] };
      const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      assert.deepEqual(
        serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`),
        [],
      );
      await close();
    });
  }
}

test("axe finds nothing serious in the open suggestions and the open drawer", async () => {
  const { page, close } = await demo.open("/products/raincoat", { reducedMotion: "reduce" });
  await page.evaluate(axe);
  await page.getByRole("combobox").pressSequentially("rai");
  await page.getByRole("listbox").waitFor();
  const serious = `axe.run().then(({ violations }) => violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => id + ": " + nodes[0].html))`;
  assert.deepEqual(await page.evaluate(serious), []);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await page.getByRole("dialog").getByText("$148.00").first().waitFor();
  assert.deepEqual(await page.evaluate(serious), []);
  await close();
});

const languages = [
  {
    code: "fr",
    title: "Imperméable",
    search: "Chercher dans la boutique",
    typed: "imper",
    add: "Ajouter au panier",
    cart: "Panier",
    price: /148,00\s\$/,
  },
  {
    code: "ja",
    title: "レインコート",
    search: "店内を検索",
    typed: "レイン",
    add: "カートに入れる",
    cart: "カート",
    price: /\$148\.00/,
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

test("every link of the home page, its menus and its footer leads somewhere", async () => {
  const { page, close } = await demo.open("/");
  const links = (await page.evaluate(
    "[...new Set([...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href')))]",
  )) as string[];
  const own = links.filter((href) => href.startsWith("/"));
  assert.ok(own.length > 10);
  for (const href of own) {
    const reply = await page.request.get(`${demo.origin}${href}`);
    assert.equal(reply.status(), 200, href);
  }
  await close();
});

test("a page that is not there says so, in the shop's own look", async () => {
  const { page, close } = await demo.open("/nowhere");
  await page.getByRole("heading", { name: "There is nothing at this address" }).waitFor();
  await close({ failures: [/404/] });
});

for (const width of [360, 768, 1_280]) {
  test(`at ${width} px no page is wider than the screen`, async () => {
    const { page, close } = await demo.open("/", { viewport: { width, height: 800 } });
    for (const path of pages) {
      await page.goto(path);
      const wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
      assert.ok(Number(wide) <= 0, `${path} is ${wide} px too wide`);
    }
    await close();
  });
}
