import { type Reply, text } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/** `GET /robots.txt`: all but what is one shopper's alone, or endless. */
export function robots({ origin }: StoreRequest): Reply {
  const closed = ["/cart", "/checkout", "/discount/", "/search", "/api/", "/*/cart", "/*/checkout", "/*/search"];
  const lines = [
    "User-agent: *",
    ...closed.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ];
  return text(200, lines.join("\n"), { "cache-control": "public, max-age=3600" });
}
