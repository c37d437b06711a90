import type { Config } from "../config/settings.ts";

/** Rules of `robots.txt` for all crawlers. */
export interface RobotsRules {
  readonly disallowedPaths: readonly string[];
  /** URL of the sitemap. */
  readonly sitemap: string;
}

/**
 * Returns the rules that ask crawlers to skip private pages, and URLs with unlimited combinations of parameters.
 * @param origin origin of the shop: "https://shop.example"
 */
export function createRobotsRules({ locales }: Pick<Config, "locales">, origin: string): RobotsRules {
  const prefixes = ["", ...locales.others.map((locale) => `/${locale}`)];
  const shopperPaths = ["cart", "checkout", "orders/", "account", "search"];
  const disallowedPaths = [
    ...prefixes.flatMap((prefix) => shopperPaths.map((path) => `${prefix}/${path}`)),
    ...["/discount/", "/api/", "/admin"],
    // URLs with these parameters are filtered, sorted, or partial versions of other pages, so crawlers need not read
    // them.
    ...["filter.", "sort_by=", "section_id="].map((name) => `/*?*${name}`),
  ];
  return { disallowedPaths, sitemap: `${origin}/sitemap.xml` };
}
