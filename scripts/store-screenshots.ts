import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, extname, join, resolve } from "node:path";
import type { Page } from "playwright-core";
import type { Row } from "../src/catalog/catalog.ts";
import type { Image, Product } from "../src/catalog/product.ts";
import { formatRow } from "../src/catalog/rows/format-row.ts";
import { loadConfig } from "../src/config/load-config.ts";
import { filesOfStore } from "../src/import/catalog-files.ts";
import { type CatalogFile, readCatalog } from "../src/import/read-catalog.ts";
import { type Demo, startDemo } from "../test/support/browser.ts";

export interface StoreShots {
  /** Store folders, or catalog files. */
  readonly stores: readonly string[];
  readonly to: string;
  /** A folder of images that replace those of the products; default: the products' images. */
  readonly photos?: string;
  /** Numbers of images per product: filled up with other images of the store. */
  readonly counts: readonly number[];
  /** Names of the screenshots; empty for all. */
  readonly only: readonly string[];
}

const widths = [1_280, 390] as const;
const schemes = ["light", "dark"] as const;
/** Maximum height in pixels. */
const LONGEST = 3_000;

/**
 * Takes screenshots of every template of each store, at two widths, light and dark, for each number of images, and
 * writes a page that shows them together.
 */
export async function takeStores({ stores, to, photos, counts, only }: StoreShots): Promise<void> {
  const lines: string[] = [];
  for (const store of stores) {
    const rows = await rowsOf(store);
    const name = basename(store, extname(store));
    for (const count of counts) {
      const folder = await storeWith(store, rows, count, photos);
      const demo = await startDemo(undefined, { source: folder });
      try {
        const shots = shotsOf(rows).filter(([shot]) => only.length === 0 || only.includes(shot));
        lines.push(`<h2>${name}, ${count} photos a product</h2>`);
        for (const [shot, path, act] of shots) {
          const dir = join(name, `photos-${count}`);
          await mkdir(join(to, dir), { recursive: true });
          const files = await take(demo, path, act, (width, scheme) => join(to, dir, `${shot}-${width}-${scheme}.jpg`));
          const images = files.map(
            (file) => `<img loading="lazy" height="420" src="${encodeURI(file.slice(to.length + 1))}">`,
          );
          lines.push(`<h3>${shot}</h3><p>${images.join(" ")}</p>`);
        }
      } finally {
        await demo.close();
        await rm(folder, { recursive: true, force: true });
      }
    }
  }
  await writeFile(
    join(to, "index.html"),
    `<!doctype html><meta charset="utf-8"><title>Screenshots</title>\n${lines.join("\n")}\n`,
  );
}

async function rowsOf(store: string): Promise<readonly Row[]> {
  const isFolder = (await stat(store)).isDirectory();
  const files: readonly CatalogFile[] = isFolder ? await filesOfStore(store) : [{ path: store, name: store }];
  const { currency } = isFolder ? await loadConfig(resolve(store)) : { currency: "USD" };
  const rows: Row[] = [];
  for await (const { row } of readCatalog(files, {
    currency,
    onError: (fault) => process.stderr.write(`${JSON.stringify(fault)}\n`),
  }))
    rows.push(row);
  return rows;
}

/** Creates a store with these rows.  @param count images per product  @returns its folder */
async function storeWith(
  store: string,
  rows: readonly Row[],
  count: number,
  photos: string | undefined,
): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-shots-"));
  if ((await stat(store)).isDirectory())
    await cp(store, dir, {
      recursive: true,
      filter: (path) => ![join(store, "data"), join(store, "catalog")].includes(path),
    });
  else {
    const name = basename(store, extname(store)).replaceAll(/[-_.]+/g, " ");
    await writeFile(join(dir, "vitrine.config.ts"), `export default ${JSON.stringify({ name, currency: "USD" })};\n`);
  }
  const others: Image[] = [];
  if (photos === undefined) others.push(...rows.flatMap((row) => (row.kind === "product" ? row.images : [])));
  else
    for (const name of (await readdir(photos)).sort()) {
      await cp(join(photos, name), join(dir, "media", "shots", name), { recursive: true });
      others.push({ src: `/media/shots/${encodeURIComponent(name)}` });
    }
  await mkdir(join(dir, "catalog"));
  const changed = rows.map((row, index) =>
    row.kind === "product" ? withPhotos(row, index, count, others, photos !== undefined) : row,
  );
  await writeFile(join(dir, "catalog", "shop.jsonl"), changed.map((row) => `${formatRow(row)}\n`).join(""));
  return dir;
}

function withPhotos(
  product: Product,
  index: number,
  count: number,
  others: readonly Image[],
  isReplaced: boolean,
): Product {
  const own = isReplaced ? [] : product.images;
  const more = Array.from(
    { length: others.length === 0 ? 0 : count },
    (_, n) => others[(index * 7 + n) % others.length],
  );
  const images = [...own, ...more.filter((one) => one !== undefined)].slice(0, count);
  const kept = new Set(images.map(({ src }) => src));
  const variants = product.variants.map(({ image, ...variant }) =>
    image !== undefined && kept.has(image) ? { ...variant, image } : variant,
  );
  return { ...product, images, variants };
}

type Act = (page: Page) => Promise<unknown>;

/** A page of each template that the store has something for. */
function shotsOf(rows: readonly Row[]): readonly (readonly [name: string, path: string, act?: Act])[] {
  const path = (kind: string, handle: string): string => `/${kind}/${encodeURIComponent(handle)}`;
  const products = rows.flatMap((row) => (row.kind === "product" && row.published ? [row] : []));
  const richest = products.toSorted(
    (a, b) => b.description.length + 200 * b.variants.length - a.description.length - 200 * a.variants.length,
  )[0];
  const [page, article, collection] = [
    rows.find((row) => row.kind === "page"),
    rows.find((row) => row.kind === "article"),
    rows.find((row) => row.kind === "collection" && row.published),
  ];
  const word = products.flatMap(({ title }) => title.match(/\p{L}{4,}/u) ?? [])[0] ?? "shop";
  const add = async (at: Page): Promise<void> => {
    for (const { handle } of products.slice(0, 3)) {
      await at.goto(path("products", handle));
      const button = at.locator("[data-add-button]:enabled");
      if ((await button.count()) === 0) continue;
      await button.first().click();
      await at
        .locator("dialog[open] .line, .toast:not([hidden])")
        .first()
        .waitFor()
        .catch(() => undefined);
    }
  };
  return [
    ["index", "/"],
    ["list-collections", "/collections"],
    ["collection", collection?.kind === "collection" ? path("collections", collection.handle) : "/collections/all"],
    ...(richest === undefined ? [] : [["product", path("products", richest.handle)] as const]),
    ["suggestions", "/", async (at) => at.locator("#header-search").pressSequentially(word.slice(0, 3))],
    ["search", `/search?q=${encodeURIComponent(word)}`],
    ["search-none", "/search?q=zeppelinx"],
    ["cart", "/", async (at) => add(at).then(() => at.goto("/cart"))],
    ["cart-empty", "/cart"],
    ["checkout", "/", async (at) => add(at).then(() => at.goto("/checkout"))],
    ...(page?.kind === "page" ? [["page", path("pages", page.handle)] as const] : []),
    ...(article?.kind === "article"
      ? [
          ["blog", path("blogs", article.blog)] as const,
          ["article", `${path("blogs", article.blog)}/${encodeURIComponent(article.handle)}`] as const,
        ]
      : []),
    ["404", "/nowhere"],
  ];
}

/** @returns the files that were written */
async function take(
  demo: Demo,
  path: string,
  act: Act | undefined,
  fileOf: (width: number, scheme: string) => string,
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const width of widths) {
    const viewport = { width, height: width === 390 ? 844 : 900 };
    const { page, close } = await demo.open(path, { viewport, reducedMotion: "reduce", colorScheme: "light" });
    await act?.(page);
    await settled(page);
    const full = (await page.evaluate("document.documentElement.scrollHeight")) as number;
    await page.setViewportSize({ width, height: Math.min(full, LONGEST) });
    await settled(page);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const file = fileOf(width, colorScheme);
      await page.screenshot({ path: file, type: "jpeg", quality: 60, animations: "disabled" });
      files.push(file);
    }
    // Images of other servers may be missing.
    await close({ failures: [/./] });
  }
  return files;
}

/** Waits until the page has loaded, but not for servers that never respond. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
  // A picture that is there may still have to be drawn.
  await page.evaluate(`Promise.race([
    Promise.all([...document.images]
      .filter((one) => one.getBoundingClientRect().top < innerHeight)
      .map((one) => one.decode().catch(() => undefined))),
    new Promise((resolve) => setTimeout(resolve, 8_000)),
  ])`);
}
