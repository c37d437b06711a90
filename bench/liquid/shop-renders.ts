// Renders pages and script requests of a shop's theme, with the catalog of the demo store.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as AppModule from "../../src/app.ts";
import type * as CartModule from "../../src/cart/cart.ts";
import type * as PriceModule from "../../src/cart/price-cart.ts";
import type * as SearchModule from "../../src/predictive-search/predictive-search.ts";
import { noSearchRules } from "../../src/predictive-search/rules/search-rules.ts";
import type * as ParamsModule from "../../src/predictive-search/suggest-params.ts";
import type { RenderRequest } from "../../src/theme/theme.ts";

export interface ShopRenders {
  /** Render functions by name. */
  readonly renders: Readonly<Record<string, () => Promise<string>>>;
  close(): Promise<void>;
}

/**
 * Opens the demo store with a theme.
 * @param checkout checkout of the repository whose code renders
 * @param theme folder of the theme. Default: the store's theme
 */
export async function openShopRenders(checkout: string, theme: string | undefined): Promise<ShopRenders> {
  const load = async <Module>(path: string): Promise<Module> => import(pathToFileURL(join(checkout, "src", path)).href);
  const { createApp } = await load<typeof AppModule>("app.ts");
  const { emptyCart } = await load<typeof CartModule>("cart/cart.ts");
  const { priceCart } = await load<typeof PriceModule>("cart/price-cart.ts");
  const { parseSuggestParams } = await load<typeof ParamsModule>("predictive-search/suggest-params.ts");
  const { predictiveSearch } = await load<typeof SearchModule>("predictive-search/predictive-search.ts");
  const storeDir = await mkdtemp(join(tmpdir(), "vitrine-bench-"));
  const source = join(checkout, "examples/harbour-outfitters");
  await cp(source, storeDir, { recursive: true, filter: (path) => path !== join(source, "data") });
  if (theme !== undefined) await cp(theme, join(storeDir, "theme"), { recursive: true });
  const app = await createApp({ storeDir, logLevel: "fatal" });
  const { theme: shown, snapshot } = app.shop;
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
  const found = predictiveSearch(parseSuggestParams(new URLSearchParams("q=rain")), {
    catalog,
    index,
    locale: "en",
    now,
    typoTolerance: true,
  });
  const request: RenderRequest = {
    locale: "en",
    target: "/",
    origin: "https://shop.example",
    catalog,
    index,
    // Other checkouts expect a promise.
    cart: async () => cart,
    searchRules: noSearchRules,
    now,
  };
  const section = (id: string, asked: RenderRequest) => async (): Promise<string> =>
    (await shown.renderSection(id, asked)).html;
  const page = (target: string) => async (): Promise<string> => (await shown.renderPage({ ...request, target })).html;
  return {
    renders: {
      "suggestions for rain": section("predictive-search", {
        ...request,
        target: "/search?q=rain",
        predictiveSearch: found,
      }),
      "cart drawer": section("cart-drawer", request),
      header: section("header", request),
      home: page("/"),
      product: page("/products/raincoat"),
      collection: page("/collections/rainwear"),
      cart: page("/cart"),
      search: page("/search?q=coat"),
    },
    close: async () => {
      await app.close();
      await rm(storeDir, { recursive: true, force: true });
    },
  };
}
