import { hasSelection, parseFilters } from "../catalog/facets/filter-selection.ts";
import { loadConfig } from "../config/load-config.ts";
import { DAY_MS } from "../runtime/durations.ts";
import { createSearchKey, MAX_KEY_FILTERS_BYTES } from "../security/search-key.ts";
import { SetupError } from "../setup-error.ts";
import { system } from "../system.ts";
import type { CommandIo } from "./io.ts";
import { openKeyring } from "./store-keyring.ts";

/** Options of a search key. */
export interface SearchKeyOptions {
  /** Query string of filters that apply to every search; "" for none. */
  readonly filters: string;
  /** Days until the key expires. */
  readonly days: number;
}

/**
 * Prints a key with which pages on other origins search the shop.
 * @returns exit code
 * @throws SetupError if the filters are invalid or too long
 */
export async function printSearchKey(
  storeDir: string,
  { filters, days }: SearchKeyOptions,
  io: CommandIo,
): Promise<number> {
  const { currency, search } = await loadConfig(storeDir);
  const query = new URLSearchParams(filters);
  for (const [name, value] of query)
    if (!hasSelection(parseFilters(new URLSearchParams([[name, value]]), currency)))
      throw new SetupError(`"${name}=${value}" is not a filter. Use filters such as filter.p.vendor=Acme.`);
  if (Buffer.byteLength(query.toString()) > MAX_KEY_FILTERS_BYTES)
    throw new SetupError(`The filters of a key have at most ${MAX_KEY_FILTERS_BYTES} bytes.`);
  const expiryTime = system.now() + days * DAY_MS;
  // Only the key is printed to stdout, so that scripts can read it.
  io.stdout.write(`${createSearchKey(await openKeyring(storeDir, io), query.toString(), expiryTime)}\n`);
  io.stderr.write(`The key expires after ${days} ${days === 1 ? "day" : "days"}.\n`);
  if (search.origins.length === 0)
    io.stderr.write('No origin may use it yet. List the origins of your front ends in the setting "search.origins".\n');
  return 0;
}
