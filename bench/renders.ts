// How many sections a second does one thread render? The suggestions for "rain" and the cart drawer with three lines, of the demo store's
// default theme, after a warm-up; the catalogue, the search and the prices of the cart are worked out before.
//   node bench/renders.ts [folder of another checkout] [folder of a theme]

import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type * as AppModule from "../src/app.ts";
import type * as CartModule from "../src/cart/cart.ts";
import type * as PriceModule from "../src/cart/price-cart.ts";
import type * as SearchModule from "../src/predictive-search/predictive-search.ts";
import { noSearchRules } from "../src/predictive-search/rules/search-rules.ts";
import type * as ParamsModule from "../src/predictive-search/suggest-params.ts";
import type { RenderRequest } from "../src/theme/theme.ts";

/** Milliseconds of each round. The thread's own time is counted and the best round taken, for others use the machine too. */
const roundTime = 2_000;
const rounds = 5;

const checkout = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
const load = async <Module>(path: string): Promise<Module> => import(pathToFileURL(join(checkout, "src", path)).href);
const { createApp } = await load<typeof AppModule>("app.ts");
const { emptyCart } = await load<typeof CartModule>("cart/cart.ts");
const { priceCart } = await load<typeof PriceModule>("cart/price-cart.ts");
const { parseSuggestParams } = await load<typeof ParamsModule>("predictive-search/suggest-params.ts");
const { predictiveSearch } = await load<typeof SearchModule>("predictive-search/predictive-search.ts");

const storeDir = await mkdtemp(join(tmpdir(), "vitrine-bench-"));
const source = join(checkout, "examples/harbour-outfitters");
await cp(source, storeDir, { recursive: true, filter: (path) => path !== join(source, "data") });
if (process.argv[3] !== undefined) await cp(process.argv[3], join(storeDir, "theme"), { recursive: true });
const app = await createApp({ storeDir, logLevel: "error" });
try {
  const { theme, snapshot } = app.shop;
  const { catalog, index } = snapshot();
  const now = Date.now();
  const products = ["raincoat", "beeswax-candles", "boot-socks"].flatMap((handle) => catalog.product(handle) ?? []);
  const lines = products.map(({ title, variants: [variant] }, number) => ({
    key: `line-${number}`,
    variantId: variant?.id ?? "",
    quantity: 1,
    properties: {},
    seenPrice: variant?.price ?? 0,
    seenTitle: title,
  }));
  const cart = priceCart(
    { ...emptyCart, id: "cart", revision: 1, lines },
    { catalog, currency: "USD", maxQuantity: 9_999, now },
  );
  const params = parseSuggestParams(new URLSearchParams("q=rain"));
  const found = predictiveSearch(params, { catalog, index, locale: "en", now, typoTolerance: true });
  const request: RenderRequest = {
    locale: "en",
    target: "/",
    origin: "https://shop.example",
    catalog,
    index,
    cart: async () => cart,
    searchRules: noSearchRules,
    now,
  };
  const sections: Readonly<Record<string, RenderRequest>> = {
    "predictive-search": { ...request, target: "/search/suggest?q=rain", predictiveSearch: found },
    "cart-drawer": request,
  };
  for (const [id, asked] of Object.entries(sections)) {
    const { html } = await theme.renderSection(id, asked);
    let best = 0;
    for (let round = 0; round < rounds; round += 1) {
      const end = performance.now() + roundTime;
      const start = process.threadCpuUsage();
      let count = 0;
      for (; performance.now() < end; count += 1) await theme.renderSection(id, asked);
      const { user, system } = process.threadCpuUsage(start);
      best = Math.max(best, count / ((user + system) / 1_000_000));
    }
    process.stdout.write(`${id}: ${html.length} characters, ${Math.round(best)} a second of the thread\n`);
  }
} finally {
  await app.close();
  await rm(storeDir, { recursive: true, force: true });
}
