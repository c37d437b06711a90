import type { Catalog } from "../catalog/catalog.ts";
import type { Shop } from "../shop.ts";
import { createSuggestSerializer } from "./json/suggest-text.ts";
import { showSuggestions } from "./routes/catalog/search-suggest.ts";
import { serveSuggestJson } from "./routes/catalog/search-suggest-json.ts";
import type { StoreRequest } from "./wire/request.ts";

type WarmUpServices = Parameters<typeof showSuggestions>[0] & Parameters<typeof serveSuggestJson>[0];

/**
 * Suggests products for the first letters of some titles, as JSON and as a theme section. This compiles the code and
 * fills the caches for the first visitors. It runs in time slices, takes at most {@link MAX_WARM_UP_MS} milliseconds,
 * and appears in no statistics. Small catalogs are skipped.
 * @param isStopping returns whether to end early
 */
export async function warmUpSuggestions(shop: WarmUpServices, isStopping: () => boolean): Promise<void> {
  const { catalog } = shop.snapshot();
  if (catalog.numbers("product").length < MIN_PRODUCTS) return;
  const { metrics: _, ...otherProcess } = shop.process;
  const process: Shop["process"] = { ...otherProcess, searchTimes: { ...shop.process.searchTimes, add: () => {} } };
  const signals: Shop["signals"] = { tracksVisits: false, track: () => {} };
  const untrackedShop = { ...shop, process, signals };
  const serializer = createSuggestSerializer(SERIALIZER_CACHE_BYTES);
  const deadline = performance.now() + MAX_WARM_UP_MS;
  for (const text of listTypedTexts(catalog)) {
    await shop.process.scheduler.yield("background");
    if (isStopping() || performance.now() > deadline) return;
    serveSuggestJson(untrackedShop, serializer, createRequest(shop, { q: text, type: "product,query" }));
    if (text.length % CHARACTERS_PER_RENDER !== 0) continue;
    // A theme without this section answers 404.
    await showSuggestions(untrackedShop, createRequest(shop, { q: text, section_id: "predictive-search" })).catch(
      () => {},
    );
  }
}

/** Minimum number of products. In smaller catalogs, the first searches are fast without preparation. */
const MIN_PRODUCTS = 1_000;
/** Maximum duration in milliseconds. */
const MAX_WARM_UP_MS = 2_000;
/** Number of titles whose typing is simulated. Half of them are typed with a missing letter. */
const SIMULATED_TITLE_COUNT = 60;
/** Maximum number of letters that are typed of each title. */
const MAX_TYPED_LETTERS = 16;
/** Suggestions are also rendered as a theme section each time this number of characters was typed. */
const CHARACTERS_PER_RENDER = 4;
const SERIALIZER_CACHE_BYTES = 4 * 1_024 * 1_024;

/** Yields the texts in a search box while a shopper types product titles. The titles are spread over the catalog. */
function* listTypedTexts(catalog: Catalog): Generator<string, void> {
  const numbers = catalog.numbers("product");
  for (let index = 0; index < SIMULATED_TITLE_COUNT; index += 1) {
    const entry = catalog.entry(numbers[Math.floor((index * numbers.length) / SIMULATED_TITLE_COUNT)] ?? 0);
    if (entry === undefined) continue;
    const title = entry.title.toLowerCase();
    const typedText = index % 2 === 0 ? title : title.slice(0, 3) + title.slice(4);
    for (let length = 1; length <= Math.min(MAX_TYPED_LETTERS, typedText.length); length += 1)
      if (typedText.slice(0, length).trim() !== "") yield typedText.slice(0, length);
  }
}

/** Returns a request of a visitor without cookies. */
function createRequest(
  { config, process }: WarmUpServices,
  parameters: Readonly<Record<string, string>>,
): StoreRequest {
  const query = new URLSearchParams(parameters);
  return {
    method: "GET",
    isHead: false,
    locale: config.locales.default,
    prefix: "",
    path: "/search/suggest",
    search: `?${query}`,
    query,
    params: {},
    headers: {},
    origin: config.origin ?? "http://localhost",
    client: { address: "127.0.0.1", scheme: "http", host: "localhost" },
    isSecure: false,
    now: process.now(),
    lane: "background",
    readBody: async () => new Uint8Array(),
  };
}
