import { formatFirstLoginPath } from "../security/first-login.ts";
import { createKeyring } from "../security/keyring.ts";
import { hasConsoleToken } from "../storage/token-store.ts";
import type { OpenStore } from "./open-store.ts";

/**
 * Returns the path of a link to the first login of the console.
 * @returns undefined if the console is off, or an access token for it was created before
 */
export async function findFirstLoginPath(
  store: Pick<OpenStore, "config" | "database" | "secrets" | "now" | "newId">,
): Promise<string | undefined> {
  if (!store.config.console || (await hasConsoleToken(store.database))) return undefined;
  return formatFirstLoginPath(createKeyring(store.secrets), store.newId(), store.now());
}
