// Creates docs/images/ and docs/reference/default-theme.md: screenshots of every template of the default theme in the
// demo store, narrow and wide, in light and dark colors.
//   node scripts/screenshots.ts [<name of a screenshot, or presets> ...]
// The default font of Chromium lacks Japanese and Arabic: set FONTCONFIG_PATH to a folder with fonts that have them.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { type Demo, startDemo } from "../test/support/browser.ts";
import { fillOrderForm } from "../test/support/checkout-page.ts";

interface Shot {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  /** Performs actions before the screenshot. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Whether to capture only the viewport instead of the full page. */
  readonly isScreen?: boolean;
}

const add = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await page.locator("[data-add-button]").first().click();
  await page.locator("dialog[open] .line").first().waitFor();
};
const fillCart = async (page: Page): Promise<void> => {
  await add(page, "/products/raincoat?variant=104");
  await add(page, "/products/beeswax-candles");
  await add(page, "/products/rain-trousers");
};
const fillCartAndOpen =
  (path: string) =>
  async (page: Page): Promise<void> => {
    await fillCart(page);
    await page.goto(path);
  };

const shots: readonly Shot[] = [
  { name: "index", title: "Home page", path: "/" },
  { name: "product", title: "Product", path: "/products/raincoat?variant=104" },
  { name: "collection", title: "Collection", path: "/collections/rainwear" },
  {
    name: "collection-filtered",
    title: "Collection with filters",
    path: "/collections/rainwear?filter.v.availability=1&filter.v.price.lte=100",
    act: (page) => page.locator("summary", { hasText: "Vendor" }).click(),
    isScreen: true,
  },
  {
    name: "filters",
    title: "More filters",
    path: "/collections/all",
    act: (page) => page.locator("summary", { hasText: "More filters" }).click(),
    isScreen: true,
  },
  { name: "list-collections", title: "All collections", path: "/collections" },
  {
    name: "suggestions",
    title: "Search suggestions",
    path: "/",
    act: async (page) => {
      await page.locator("#header-search").fill("rai");
      await page.getByRole("option").first().waitFor();
    },
    isScreen: true,
  },
  {
    name: "suggestions-none",
    title: "No suggestions",
    path: "/",
    act: async (page) => {
      await page.locator("#header-search").fill("zeppelin");
      await page.locator(".suggestions__nothing").waitFor();
    },
    isScreen: true,
  },
  { name: "search", title: "Search results", path: "/search?q=lantern" },
  { name: "search-none", title: "No search results", path: "/search?q=zeppelin" },
  { name: "bundle", title: "Bundle", path: "/bundles/sunday-mending-box" },
  {
    name: "drawer",
    title: "Cart drawer",
    path: "/",
    act: async (page) => {
      await fillCart(page);
      await page.locator("dialog[open] .line").nth(2).waitFor();
    },
    isScreen: true,
  },
  { name: "cart", title: "Cart", path: "/", act: fillCartAndOpen("/cart") },
  { name: "cart-empty", title: "Empty cart", path: "/cart" },
  { name: "checkout", title: "Checkout", path: "/", act: fillCartAndOpen("/checkout") },
  {
    name: "order",
    title: "Order",
    path: "/",
    act: async (page) => {
      await fillCartAndOpen("/checkout")(page);
      await fillOrderForm(page, "20457");
      await page.locator("button[name=order].button").click();
      await page.waitForURL("**/orders/**");
    },
  },
  { name: "page", title: "Page", path: "/pages/size-guide" },
  { name: "blog", title: "Blog", path: "/blogs/tide-notes" },
  { name: "article", title: "Article", path: "/blogs/workbench/oiling-an-oilskin" },
  { name: "404", title: "Page not found", path: "/nowhere" },
  { name: "index-ja", title: "Home page in Japanese", path: "/ja" },
  { name: "product-fr", title: "Product in French", path: "/fr/products/steel-flask" },
  { name: "index-ar", title: "Home page in Arabic", path: "/ar" },
  { name: "product-ar", title: "Product in Arabic", path: "/ar/products/raincoat?variant=104" },
  {
    name: "drawer-ar",
    title: "Cart drawer in Arabic",
    path: "/ar",
    act: async (page) => {
      await add(page, "/ar/products/rain-trousers");
      await add(page, "/ar/products/raincoat?variant=104");
    },
    isScreen: true,
  },
];

/** Presets of the default theme, which the demo store shows on its home page. */
const presets = ["Clothes", "Food", "Tools", "Books", "Art", "Harbour"] as const;
/** Maximum height of a screenshot by width, in pixels. */
const maxHeights = { 360: 1_400, 1440: 1_300 } as const;
const widths = [1_440, 360] as const;
const schemes = ["light", "dark"] as const;
const docs = fileURLToPath(new URL("../docs/", import.meta.url));

const { positionals: only } = parseArgs({ allowPositionals: true });
const isAll = only.length === 0;
if (isAll || only.some((name) => name !== "presets")) await takeDemo();
if (isAll || only.includes("presets")) for (const preset of presets) await takePreset(preset);
await writeFile(`${docs}reference/default-theme.md`, table());

async function takeDemo(): Promise<void> {
  const demo = await startDemo();
  try {
    await needLetters(demo);
    if (isAll) await rm(`${docs}images`, { recursive: true, force: true });
    await mkdir(`${docs}images`, { recursive: true });
    for (const shot of shots) if (isAll || only.includes(shot.name)) await take(demo, shot);
    if (isAll) await takeSuggestions(demo);
  } finally {
    await demo.close();
  }
}

/** Takes the screenshots of the first screen of the demo store in a preset. */
async function takePreset(preset: string): Promise<void> {
  const demo = await startDemo(undefined, { config: { themePreset: preset } });
  try {
    await take(demo, { name: nameOfPreset(preset), title: preset, path: "/", isScreen: true });
  } finally {
    await demo.close();
  }
}

function nameOfPreset(preset: string): string {
  return `preset-${preset.toLowerCase()}`;
}

async function needLetters(demo: Demo): Promise<void> {
  const { page, close } = await demo.open("/");
  const isRendered = await page.evaluate(`["雨", "م"].every((letter) => {
    const context = document.createElement("canvas").getContext("2d");
    context.font = "40px sans-serif";
    context.fillText(letter, 40, 60);
    return context.getImageData(0, 0, 120, 120).data.some((value) => value > 0);
  })`);
  await close();
  if (isRendered !== true)
    throw new Error(
      "The browser has no letters for Japanese or Arabic. Set FONTCONFIG_PATH to a folder with such fonts.",
    );
}

async function take(demo: Demo, { name, path, act, isScreen = false }: Shot): Promise<void> {
  for (const width of widths) {
    const viewport = { width, height: width === 360 ? 740 : 900 };
    const { page, close } = await demo.open(path, { viewport, reducedMotion: "reduce", colorScheme: "light" });
    await act?.(page);
    await page.waitForLoadState("networkidle");
    const fullHeight = (await page.evaluate("document.documentElement.scrollHeight")) as number;
    const height = isScreen ? viewport.height : Math.min(fullHeight, maxHeights[width]);
    // The viewport has the size of the screenshot, so that images at the bottom are loaded too.
    await page.setViewportSize({ width, height });
    await waitUntilLoaded(page);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.screenshot({
        path: `${docs}images/${name}-${width}-${colorScheme}.jpg`,
        type: "jpeg",
        quality: 54,
        animations: "disabled",
      });
    }
    await close({ failures: [/404/] });
  }
}

/** Waits until the page has loaded, but ignores servers that never respond. */
async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
  // A loaded image may not be painted yet.
  await page.evaluate(`Promise.race([
    Promise.all([...document.images]
      .filter((one) => one.getBoundingClientRect().top < innerHeight)
      .map((one) => one.decode().catch(() => undefined))),
    new Promise((resolve) => setTimeout(resolve, 8_000)),
  ])`);
}

/** Takes the screenshot of search suggestions for the README. */
async function takeSuggestions(demo: Demo): Promise<void> {
  const { page, close } = await demo.open("/", { viewport: { width: 1_280, height: 800 }, reducedMotion: "reduce" });
  await page.locator("#header-search").pressSequentially("rai");
  await page.getByRole("option", { name: /^Raincoat/ }).waitFor();
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: `${docs}images/suggestions.png`, animations: "disabled" });
  await close();
}

function table(): string {
  const presetShots = presets.map((preset) => ({ name: nameOfPreset(preset), title: `Preset ${preset}` }));
  const rows = [...presetShots, ...shots].map(({ name, title }) => {
    const image = (width: number, scheme: string, shownWidth: number): string =>
      `<img src="../images/${name}-${width}-${scheme}.jpg" width="${shownWidth}" alt="${title}, ${width} px, ${scheme}">`;
    return `## ${title}\n\n${schemes.map((scheme) => `${image(1_440, scheme, 560)} ${image(360, scheme, 160)}`).join("\n\n")}\n`;
  });
  return `# Default theme\n\nThe [presets](theme-guide.md#default-theme) and the pages of the demo store, 1440 and 360 px wide, light and dark. \`scripts/screenshots.ts\` creates the images; long pages are cut.\n\n${rows.join("\n")}`;
}
