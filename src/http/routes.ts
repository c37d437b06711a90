import type { CartOperation } from "../observability/metrics.ts";
import type { Shop } from "../shop.ts";
import { listAgentRoutes } from "./agents/agent-routes.ts";
import { acceptForms, showErrorsAsPage } from "./bodies/form-posts.ts";
import { createCartReplies } from "./cart/cart-replies.ts";
import type { CartStreams } from "./cart/cart-streams.ts";
import { countCartWrites } from "./cart/cart-write.ts";
import { createIssueSerializer } from "./cart/issue-serializer.ts";
import { handleWriteLink } from "./cart/write-links.ts";
import { listConsoleRoutes } from "./console/console-routes.ts";
import { createFileCache } from "./file-cache.ts";
import type { ResizedImages } from "./images/resized-images.ts";
import { createCartSerializer } from "./json/cart-text.ts";
import { createSuggestSerializer } from "./json/suggest-text.ts";
import type { Handler, Route } from "./route.ts";
import { buyNow } from "./routes/cart/buy-now.ts";
import { handleCartAdd, handleCartChange, handleCartClear, handleCartUpdate } from "./routes/cart/cart-edits.ts";
import { sendCartEvents } from "./routes/cart/cart-events.ts";
import { postCartForm } from "./routes/cart/cart-form.ts";
import { handleDiscountLink, handlePermalink } from "./routes/cart/cart-links.ts";
import { handleCartRead, selectByAccept } from "./routes/cart/cart-read.ts";
import { handleCheckout, startCheckout } from "./routes/cart/checkout.ts";
import { issueCsrfToken } from "./routes/cart/csrf.ts";
import { handlePaymentReturn } from "./routes/cart/payment-return.ts";
import { placeOrder } from "./routes/cart/place-order.ts";
import { handleShippingRates, prepareShippingRates, readAsyncShippingRates } from "./routes/cart/shipping-rates.ts";
import { getCollectionFeed, showBlogFeed } from "./routes/catalog/atom-feed.ts";
import { getCollectionFile, listCollections, listProducts } from "./routes/catalog/catalog-json.ts";
import { readProductFile } from "./routes/catalog/product-json.ts";
import { showRecommendations } from "./routes/catalog/recommendations.ts";
import { handleSearchJson } from "./routes/catalog/search-json.ts";
import { showSuggestions } from "./routes/catalog/search-suggest.ts";
import { serveSuggestJson } from "./routes/catalog/search-suggest-json.ts";
import { serveRobots, serveSitemap } from "./routes/catalog/sitemap.ts";
import { previewCart } from "./routes/catalog/suggest-cart.ts";
import { serveAsset, serveFavicon } from "./routes/files/assets.ts";
import { getClientScript } from "./routes/files/client-script.ts";
import { checkLiveness, checkReadiness } from "./routes/files/health.ts";
import { serveMedia } from "./routes/files/media.ts";
import { serveStorefrontScript } from "./routes/files/storefront-scripts.ts";
import { listManagementRoutes } from "./routes/management/management-routes.ts";
import { rejectSignIn, showAccount, signOut } from "./routes/pages/account.ts";
import { handleCommentForm, handleContactForm } from "./routes/pages/contact.ts";
import { showGiftCard } from "./routes/pages/gift-card.ts";
import { changeLocale } from "./routes/pages/localization.ts";
import { showInvoicePage, showOrder } from "./routes/pages/order.ts";
import { servePage, showCatalogPage, showProduct, showSearch, showVariantSection } from "./routes/pages/page.ts";
import { findCollection, redirectPasswordPage, redirectToPolicy } from "./routes/pages/platform-redirects.ts";
import type { Reply } from "./wire/reply.ts";
import type { StoreRequest } from "./wire/request.ts";

export function createRoutes(
  shop: Shop,
  {
    storeDir,
    resizedImages,
    cartStreams,
    isDraining,
    threads,
  }: {
    readonly storeDir: string;
    readonly resizedImages: ResizedImages;
    readonly cartStreams: CartStreams;
    readonly isDraining: () => boolean;
    /** Number of threads, which share the limits of caches and streams. */
    readonly threads: number;
  },
): readonly Route[] {
  const fileCache = createFileCache();
  const toBytesPerThread = (bytes: number): number => Math.ceil(bytes / threads);
  const cartSerializer = createCartSerializer(toBytesPerThread(CART_LINE_CACHE_BYTES), shop.config.compat.script);
  const decimalCurrency = shop.config.compat.script ? shop.config.currency : undefined;
  const suggestSerializer = createSuggestSerializer(toBytesPerThread(ENTRY_CACHE_BYTES), decimalCurrency);
  const issueSerializer = createIssueSerializer(shop);
  const maxBytes = toBytesPerThread(CART_REPLY_CACHE_BYTES);
  const cartReplies = createCartReplies(shop, { cartSerializer, issueSerializer, maxBytes });
  const shopWithSerializers = { ...shop, cartSerializer, issueSerializer };
  const showPage: Handler = (request) => showCatalogPage(shop, request);
  const readCart: Handler = (request) => handleCartRead(shop, cartReplies, request);
  const createCartRoutes = (
    operation: CartOperation,
    paths: readonly string[],
    handler: (request: StoreRequest) => Promise<Reply>,
  ): readonly Route[] => {
    const writeCountingHandler = countCartWrites(shop.process.metrics, operation, handler);
    const POST = acceptForms(shop, shop.config.compat.forms, writeCountingHandler);
    const linkHandler = handleWriteLink(shop, writeCountingHandler);
    return paths.map((path) => ({ path, format: "json", methods: { POST }, linkHandler }));
  };
  const extensions = shop.config.compat.forms ? ["", ".js", ".json"] : ["", ".js"];
  const listPathVariants = (path: string): readonly string[] => extensions.map((extension) => path + extension);
  const handleCartForm = acceptForms(
    shop,
    true,
    countCartWrites(shop.process.metrics, "update", (request) => postCartForm(shopWithSerializers, request)),
  );
  const createFormRoute = (path: string, handleForm: Handler): Route => ({
    path,
    format: "json",
    // Scripts request sections of a page that shows a rejected form by the URL of the form.
    methods: { GET: showPage, POST: showErrorsAsPage(shop, handleForm) },
  });
  const toPageRoutes = (handler: Handler, ...paths: readonly string[]): readonly Route[] =>
    paths.map((path) => ({ path, format: "page", methods: { GET: handler } }));
  const toSharedRoutes = (handler: Handler, ...paths: readonly string[]): readonly Route[] =>
    toPageRoutes(handler, ...paths).map((route) => ({ ...route, cacheAudience: "anonymous visitors" }));
  const createFileRoute = (path: string, GET: Handler): Route => ({
    path,
    format: "json",
    methods: { GET },
    isUnprefixed: true,
  });
  const toJsonRoute = (path: string, GET: Handler): Route => ({ path, format: "json", methods: { GET } });
  const toJsonRoutes = (paths: readonly string[], GET: Handler): readonly Route[] =>
    paths.map((path) => toJsonRoute(path, GET));
  const toRenderRoute = (route: Route): Route => ({ ...route, lane: "render" });
  const toBackgroundRoute = (route: Route): Route => ({ ...route, lane: "background" });
  const toAssetRoute = (path: string, GET: Handler): Route => ({ ...createFileRoute(path, GET), priority: "file" });

  return [
    {
      path: "/search/suggest",
      format: "text",
      methods: { GET: (request) => showSuggestions(shop, request) },
      lane: "render",
      cacheAudience: "everyone",
    },
    {
      path: "/search/suggest.json",
      format: "search-json",
      methods: { GET: (request) => serveSuggestJson(shop, suggestSerializer, request) },
    },
    toRenderRoute({
      path: "/search.json",
      format: "search-json",
      methods: { GET: (request) => handleSearchJson(shop, request) },
    }),
    toJsonRoute("/search/suggest/cart.json", (request) => previewCart(shop, request)),
    ...["/cart.js", "/cart.json"].map(
      (path): Route => ({
        path,
        format: "json",
        methods: {
          GET: readCart,
          ...(shop.config.compat.forms ? { POST: handleCartForm } : {}),
        },
      }),
    ),
    toJsonRoute("/cart/events", (request) => sendCartEvents(shop, cartStreams, request)),
    ...createCartRoutes("add", listPathVariants("/cart/add"), (request) => handleCartAdd(shopWithSerializers, request)),
    ...createCartRoutes("change", listPathVariants("/cart/change"), (request) =>
      handleCartChange(shopWithSerializers, request),
    ),
    ...createCartRoutes("update", listPathVariants("/cart/update"), (request) =>
      handleCartUpdate(shopWithSerializers, request),
    ),
    ...createCartRoutes("clear", listPathVariants("/cart/clear"), (request) =>
      handleCartClear(shopWithSerializers, request),
    ),
    ...createCartRoutes("buy_now", ["/api/cart/buyNowCheckout"], (request) => buyNow(shop, request)),
    ...toJsonRoutes(["/cart/shipping_rates", "/cart/shipping_rates.json"], (request) =>
      handleShippingRates(shop, request),
    ),
    ...toJsonRoutes(["/cart/async_shipping_rates", "/cart/async_shipping_rates.json"], (request) =>
      readAsyncShippingRates(shop, request),
    ),
    ...["/cart/prepare_shipping_rates", "/cart/prepare_shipping_rates.json"].map(
      (path): Route => ({
        path,
        format: "json",
        methods: { POST: (request) => prepareShippingRates(shop, request) },
      }),
    ),
    ...listManagementRoutes(shop),
    ...(shop.console === undefined ? [] : listConsoleRoutes({ ...shop, console: shop.console })),
    ...listAgentRoutes(shop),
    toJsonRoute("/api/csrf", (request) => issueCsrfToken(shop, request)),
    toJsonRoute("/products/:file(^.+\\.js(?:on)?$)", (request) => readProductFile(shop, request) ?? showPage(request)),
    toJsonRoute(
      "/collections/:collection/products/:file(^.+\\.js(?:on)?$)",
      (request) => readProductFile(shop, request) ?? showPage(request),
    ),
    toBackgroundRoute(toJsonRoute("/products.json", (request) => listProducts(shop, request))),
    toBackgroundRoute(toJsonRoute("/collections/:handle/products.json", (request) => listProducts(shop, request))),
    toBackgroundRoute(toJsonRoute("/collections.json", (request) => listCollections(shop, request))),
    toJsonRoute(
      "/collections/:file(^.+\\.(?:json|atom)$)",
      (request) =>
        (request.params.file?.endsWith(".atom")
          ? getCollectionFeed(shop, request)
          : getCollectionFile(shop, request)) ?? showPage(request),
    ),
    toJsonRoute("/variants/:id", (request) => showVariantSection(shop, request)),
    {
      path: "/cart",
      format: "page",
      methods: {
        GET: shop.config.compat.forms ? selectByAccept({ html: showPage, json: readCart }) : showPage,
        POST: handleCartForm,
      },
    },
    ...toPageRoutes(
      countCartWrites(shop.process.metrics, "buy_now", (request) => handlePermalink(shop, request)),
      "/cart/:items(^.*:.*$)",
    ),
    ...toPageRoutes(
      countCartWrites(shop.process.metrics, "update", (request) => handleDiscountLink(shop, request)),
      "/discount/:code",
    ),
    createFormRoute("/contact", (request) => handleContactForm(shop, request)),
    createFormRoute("/blogs/:blog/:handle/comments", (request) => handleCommentForm(shop, request)),
    { path: "/localization", format: "json", methods: { POST: (request) => changeLocale(shop, request) } },
    ...toSharedRoutes((request) => redirectToPolicy(shop, request) ?? showPage(request), "/policies/:handle"),
    ...toSharedRoutes(
      (request) => findCollection("vendor", shop, request) ?? showPage(request),
      "/collections/vendors",
    ),
    ...toSharedRoutes(
      (request) => findCollection("product_type", shop, request) ?? showPage(request),
      "/collections/types",
    ),
    ...toPageRoutes((request) => redirectPasswordPage(shop, request), "/password"),
    ...toPageRoutes((request) => showGiftCard(shop, request), "/gift_cards/:code", "/gift_cards/:shop/:code"),
    ...toPageRoutes((request) => signOut(shop, request), "/account/logout"),
    ...["/account", "/account/*"].map(
      (path): Route => ({
        path,
        format: "page",
        methods: { GET: (request) => showAccount(shop, request), POST: showErrorsAsPage(shop, rejectSignIn) },
      }),
    ),
    toJsonRoute("/blogs/:file(^.+\\.atom$)", (request) => showBlogFeed(shop, request) ?? showPage(request)),
    toRenderRoute(toJsonRoute("/recommendations/products", (request) => showRecommendations(shop, request))),
    toJsonRoute("/recommendations/products.json", (request) => showRecommendations(shop, request)),
    {
      path: "/checkout",
      format: "page",
      methods: { GET: (request) => startCheckout(shop, request), POST: handleCartForm },
    },
    {
      path: "/checkout/:id",
      format: "page",
      methods: {
        GET: (request) => handleCheckout(shop, request),
        POST: showErrorsAsPage(shop, (request) => placeOrder(shop, request)),
      },
    },
    {
      path: "/checkout/return/:token",
      format: "page",
      methods: {
        GET: (request) => handlePaymentReturn(shop, request),
        POST: (request) => handlePaymentReturn(shop, request),
      },
    },
    ...toPageRoutes((request) => showOrder(shop, request), "/orders/:token"),
    ...toPageRoutes((request) => showInvoicePage(shop, request), "/orders/:token/invoices/:invoice"),
    ...toSharedRoutes(showPage, "/", "/collections", "/collections/:handle", "/pages/:handle"),
    ...toSharedRoutes(
      (request) => showProduct(shop, request),
      "/products/:handle",
      "/collections/:collection/products/:handle",
    ),
    ...toPageRoutes((request) => showSearch(shop, request), "/search"),
    ...toSharedRoutes(showPage, "/bundles/:handle", "/blogs/:blog", "/blogs/:blog/:handle"),
    ...toSharedRoutes((request) => servePage(shop, request), "/collections/:handle/:tags", "/blogs/:blog/tagged/:tags"),
    toAssetRoute("/assets/:file", (request) => serveAsset(shop, { fileCache, resizedImages }, request)),
    toAssetRoute("/media/*", (request) => serveMedia(storeDir, resizedImages, request)),
    toAssetRoute("/vitrine/:file", (request) => getClientScript(shop, request)),
    toAssetRoute("/services/javascripts/:file", (request) => serveStorefrontScript(shop, request)),
    toBackgroundRoute(createFileRoute("/robots.txt", (request) => serveRobots(shop, request))),
    toBackgroundRoute(createFileRoute("/sitemap.xml", (request) => serveSitemap(shop, request))),
    createFileRoute("/favicon.ico", () => serveFavicon(shop)),
    { ...createFileRoute("/healthz", checkLiveness), priority: "probe" },
    { ...createFileRoute("/readyz", () => checkReadiness(shop, isDraining)), priority: "probe" },
  ];
}

/** Maximum memory of cached suggestions in the process, in bytes. It is enough for about sixty thousand products. */
const ENTRY_CACHE_BYTES = 64 * 1_024 * 1_024;

/**
 * Maximum memory per process, in bytes: the first limit is for cached cart lines, the second for cached cart responses.
 */
const CART_LINE_CACHE_BYTES = 16 * 1_024 * 1_024;
const CART_REPLY_CACHE_BYTES = 32 * 1_024 * 1_024;
