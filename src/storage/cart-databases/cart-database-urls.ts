import { SetupError } from "../../setup-error.ts";
import type { CatalogDatabase } from "../catalog/catalog-reader.ts";
import { isDatabaseUrl, passwordAdvice } from "../postgres/database-url.ts";

/** A database for carts, as configured. */
export interface CartDatabaseSource {
  /** Name of the database, which the IDs of its carts contain. */
  readonly name: string;
  readonly url: string;
  readonly acceptsNewCarts: boolean;
}

/**
 * Parses the variable `CART_DATABASE_URLS`: names and URLs, separated by spaces, such as "a=postgres://… b=postgres://…".
 * A database with "!" before its name gets no new carts.
 * @param mainDatabase database of everything except carts
 * @throws SetupError with a message that does not contain passwords
 */
export function parseCartDatabaseUrls(
  text: string | undefined,
  mainDatabase: CatalogDatabase,
): readonly CartDatabaseSource[] {
  const sources = (text ?? "")
    .split(/\s+/)
    .filter(Boolean)
    .map((entry, index): CartDatabaseSource => {
      const [, mark, name = "", url = ""] = /^(!?)([a-z0-9]{1,16})=(.+)$/.exec(entry) ?? [];
      if (!isDatabaseUrl(url))
        throw new SetupError(
          `CART_DATABASE_URLS: entry ${index + 1} must be a name and a URL like "a=postgres://user:password@host:5432/name". A name has 1 to 16 letters from a to z and digits. ${passwordAdvice}`,
        );
      return { name, url, acceptsNewCarts: mark === "" };
    });
  if (sources.length > 0 && "file" in mainDatabase)
    throw new SetupError(
      "CART_DATABASE_URLS: requires DATABASE_URL, a PostgreSQL database for everything except carts.",
    );
  const repeatedName = sources.find(({ name }, index) => sources.findIndex((one) => one.name === name) < index)?.name;
  if (repeatedName !== undefined)
    throw new SetupError(`CART_DATABASE_URLS: the name "${repeatedName}" occurs twice. Name each database once.`);
  return sources;
}
