import { readEntries } from "../../catalog/catalog.ts";
import { localize } from "../../catalog/localize.ts";
import { renderTextFile, type TextFileServices } from "../text-files.ts";
import { createTextReply, type Reply } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import { MCP_PATH, REST_PATH, UCP_VERSION } from "./ucp.ts";
import { listPolicyLinks } from "./ucp-cart.ts";

/**
 * Handles `GET /agents.md`, `/llms.txt`, and `/llms-full.txt`: renders the theme's template of this name, or else its
 * `agents.md.liquid`, or else generates the text.
 * @param file name of the requested file
 */
export async function showAgentGuide(shop: TextFileServices, request: StoreRequest, file: string): Promise<Reply> {
  const type = file.endsWith(".md") ? "text/markdown" : "text/plain";
  const text = (await renderTextFile(shop, request, [file, "agents.md"])) ?? generateGuide(shop, request.origin);
  return createTextReply(200, text, {
    "content-type": `${type}; charset=utf-8`,
    "cache-control": "public, max-age=300",
  });
}

/** Maximum number of collections in the text. */
const MAX_COLLECTIONS = 50;

function generateGuide(shop: TextFileServices, origin: string): string {
  const { config } = shop;
  const { catalog } = shop.snapshot();
  const locale = config.locales.default;
  const { slogan, shortDescription } = config.brand;
  const numbers = catalog.numbers("collection").subarray(0, MAX_COLLECTIONS);
  const collections = Array.from(readEntries(catalog, "collection", numbers), (collection) =>
    formatLink(localize(collection, locale).title, `${origin}/collections/${encodeURIComponent(collection.handle)}`),
  );
  const policies = listPolicyLinks(shop, { origin, locale }).map(({ title, url }) => formatLink(title, url));
  const { countries } = config.shipping;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    [
      "What this shop sells",
      [
        `- ${catalog.numbers("product").length} products, with prices in ${config.currency}`,
        ...(countries.length === 0 ? [] : [`- Ships to: ${countries.join(", ")}`]),
        `- Languages: ${[locale, ...config.locales.others].join(", ")}`,
        ...collections,
      ],
    ],
    ["Policies", policies],
    [
      "Buy for a person",
      [
        `- Profile of the Universal Commerce Protocol ${UCP_VERSION}: ${origin}/.well-known/ucp`,
        `- Model Context Protocol (streamable HTTP, no login): ${origin}${MCP_PATH}`,
        `- The same operations as REST: ${origin}${REST_PATH}`,
        "- search_catalog, lookup_catalog, and get_product read products.",
        "- create_cart, update_cart, get_cart, and cancel_cart manage a cart. Keep its id secret.",
        "- The cart's continue_url opens the checkout, where the person checks the order and pays.",
        "- get_order reads an order by the link in the order confirmation.",
      ],
    ],
    [
      "Read without the protocol",
      [
        `- Search: ${origin}/search.json?q=<words>`,
        `- A product: ${origin}/products/<handle>.js`,
        `- All pages: ${origin}/sitemap.xml`,
      ],
    ],
    [
      "Rules",
      [
        "- Only a person places an order. Ask before you open the checkout, and show the items and the total.",
        "- Prices, stock, and delivery are signed and valid for ten minutes. If they change, the response lists the changes.",
        "- After a response with the status 429, wait for the seconds in Retry-After.",
        "- Do not submit data of a person without the person's consent.",
      ],
    ],
  ];
  const intro = [slogan, shortDescription].filter((text) => text !== undefined).map((text) => `> ${joinLines(text)}`);
  const texts = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `## ${title}\n\n${lines.join("\n")}\n`);
  return [`# ${joinLines(config.name)}\n`, ...intro.map((text) => `${text}\n`), ...texts].join("\n");
}

function formatLink(title: string, url: string): string {
  return `- [${joinLines(title).replace(/[[\]\\]/g, "\\$&")}](${url})`;
}

function joinLines(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
