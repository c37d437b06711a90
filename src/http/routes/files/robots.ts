import type { Shop } from "../../../shop.ts";
import { type Reply, text } from "../../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../../wire/request.ts";

/** `GET /robots.txt`: excludes paths of one shopper, and paths with unlimited variations. */
export function robots({ config }: Pick<Shop, "config">, { origin }: StoreRequest): Reply {
  const prefixes = [config.locales.default, ...config.locales.others].map((one) => localePrefix(one, config.locales));
  const ofShopper = ["cart", "checkout", "orders/", "account", "search"];
  const closed = [
    ...prefixes.flatMap((prefix) => ofShopper.map((path) => `${prefix}/${path}`)),
    ...["/discount/", "/api/", "/admin"],
    // The same lists, filtered and sorted.
    ...["filter.", "sort_by=", "section_id="].map((name) => `/*?*${name}`),
  ];
  const lines = [
    "User-agent: *",
    ...closed.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ];
  return text(200, lines.join("\n"), { "cache-control": "public, max-age=3600" });
}
