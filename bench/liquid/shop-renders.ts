// Renders pages and script requests of a shop's theme, with the catalog of the demo store.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as AppModule from "../../src/app.ts";
import type * as CartModule from "../../src/cart/cart.ts";
import type * as PriceModule from "../../src/cart/price-cart.ts";
import type * as SearchModule from "../../src/predictive-search/predictive-search.ts";
import { emptySearchRules } from "../../src/predictive-search/rules/search-rules.ts";
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
  const loadModule = async <Module>(path: string): Promise<Module> =>
    import(pathToFileURL(join(checkout, "src", path)).href);
  const { createApp } = await loadModule<typeof AppModule>("app.ts");
  const { emptyCart } = await loadModule<typeof CartModule>("cart/cart.ts");
  const { priceCart } = await loadModule<typeof PriceModule>("cart/price-cart.ts");
  const { parseSuggestParams } = await loadModule<typeof ParamsModule>("predictive-search/suggest-params.ts");
  const { findPredictiveHits, loadEntries } = await loadModule<typeof SearchModule>(
    "predictive-search/predictive-search.ts",
  );
  const storeDir = await mkdtemp(join(tmpdir(), "vitrine-bench-"));
  const source = join(checkout, "examples/harbour-outfitters");
  await cp(source, storeDir, { recursive: true, filter: (path) => path !== join(source, "data") });
  if (theme !== undefined) await cp(theme, join(storeDir, "theme"), { recursive: true });
  const app = await createApp({ storeDir, logLevel: "fatal" });
  const { theme: renderedTheme, snapshot } = app.shop;
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
  const searchContext = { catalog, index, locale: "en", now, typoTolerance: true };
  const hits = findPredictiveHits(parseSuggestParams(new URLSearchParams("q=rain")), searchContext);
  const request: RenderRequest = {
    locale: "en",
    target: "/",
    origin: "https://shop.example",
    catalog,
    index,
    // Other checkouts expect a promise.
    cart: async () => cart,
    searchRules: emptySearchRules,
    now,
  };
  const renderSection = (id: string, renderRequest: RenderRequest) => async (): Promise<string> =>
    (await renderedTheme.renderSection(id, renderRequest)).html;
  const renderPage = (target: string) => async (): Promise<string> =>
    (await renderedTheme.renderPage({ ...request, target })).html;
  return {
    renders: {
      "suggestions for rain": renderSection("predictive-search", {
        ...request,
        target: "/search?q=rain",
        predictiveSearch: loadEntries(hits, searchContext),
      }),
      "cart drawer": renderSection("cart-drawer", request),
      header: renderSection("header", request),
      home: renderPage("/"),
      product: renderPage("/products/raincoat"),
      collection: renderPage("/collections/rainwear"),
      cart: renderPage("/cart"),
      search: renderPage("/search?q=coat"),
    },
    close: async () => {
      await app.close();
      await rm(storeDir, { recursive: true, force: true });
    },
  };
}
