import { resolve } from "node:path";
import { hasSelection, parseFilters } from "../../catalog/facets/filter-selection.ts";
import { loadConfig } from "../../config/load-config.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { createToken, hashToken, scopes, type TokenScope } from "../../security/api-token.ts";
import { createSearchKey, MAX_KEY_FILTERS_BYTES } from "../../security/search-key.ts";
import { SetupError } from "../../setup-error.ts";
import type { Database } from "../../storage/database.ts";
import { addToken, type ListedToken, listTokens, revokeToken } from "../../storage/token-store.ts";
import { system } from "../../system.ts";
import { defineCommand, flag, text, UsageError } from "../arguments.ts";
import { type CommandIo, formatJson } from "../io.ts";
import { openCommandStore } from "../store-database.ts";
import { openKeyring } from "../store-keyring.ts";

const usage = `Usage: vitrine token create [--store DIR] --scopes SCOPES [--name TEXT] [--days N]
       vitrine token list   [--store DIR] [--json]
       vitrine token revoke [--store DIR] <id…>
       vitrine token search-key [--store DIR] [--filters QUERY] [--days N]

Manages tokens of other systems, such as a payment provider or an inventory. A token is shown once; the store keeps its hash.
Revoking a token takes effect at once. A search key lets pages of the origins in "search.origins" search the shop. It is
public, is not stored, and cannot be revoked.
  --store DIR      folder of the store (default: the current folder)
  --scopes SCOPES  permissions, separated by commas: ${scopes.slice(0, 4).join(", ")},
                   ${scopes.slice(4).join(", ")}
  --name TEXT      purpose of the token
  --filters QUERY  filters of every search with the key, such as "filter.p.vendor=Acme&filter.p.tag=sale"
  --days N         days until it expires (default: never; of a search key: 365)
  --json           print JSON objects, one per line`;

const options = { store: text, scopes: text, name: text, days: text, filters: text, json: flag };

/** Runs `vitrine token`. */
export const run = defineCommand(usage, options, async ({ values, positionals: [action, ...ids] }, io) => {
  if (action === "search-key" && ids.length === 0) {
    const keyOptions = { filters: values.filters ?? "", days: readDays(values.days) ?? DEFAULT_KEY_DAYS };
    return printSearchKey(resolve(io.cwd, values.store ?? "."), keyOptions, io);
  }
  const takesIds = action === "revoke";
  if (takesIds !== ids.length > 0 || !["create", "list", "revoke"].includes(action ?? ""))
    throw new UsageError(
      takesIds ? "name the tokens to revoke by their ids." : "use create, list, revoke or search-key.",
    );
  const request = action === "create" ? readTokenOptions(values) : undefined;
  await using store = await openCommandStore(io, values.store);
  const { database } = store;
  if (request !== undefined) return await createApiToken(database, request, io);
  return takesIds
    ? await revokeTokens(database, ids, io)
    : await printTokens(await listTokens(database), values.json === true, io);
});

interface TokenOptions {
  readonly scopes: readonly TokenScope[];
  readonly name: string;
  readonly days: number | undefined;
}

/** Returns the options of the new token.  @throws UsageError */
function readTokenOptions(values: {
  readonly scopes?: string | undefined;
  readonly name?: string | undefined;
  readonly days?: string | undefined;
}): TokenOptions {
  const requestedScopes = (values.scopes ?? "").split(/[\s,]+/).filter(Boolean);
  if (requestedScopes.length === 0) throw new UsageError("list the token's permissions with --scopes.");
  const unknownScope = requestedScopes.find((scopeName) => !scopes.some((scope) => scope === scopeName));
  if (unknownScope !== undefined) throw new UsageError(`there is no scope "${unknownScope}": ${scopes.join(", ")}.`);
  const name = (values.name ?? "").trim();
  if (name.length > MAX_NAME_LENGTH) throw new UsageError(`--name has ${MAX_NAME_LENGTH} characters at most.`);
  return { scopes: scopes.filter((scope) => requestedScopes.includes(scope)), name, days: readDays(values.days) };
}

/** Returns the value of `--days`, or undefined if it is missing.  @throws UsageError */
function readDays(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const days = Number(value);
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
  throw new UsageError(`--days is a number from 1 to ${MAX_DAYS}.`);
}

const MAX_NAME_LENGTH = 100;
const MAX_DAYS = 3_650;
const DEFAULT_KEY_DAYS = 365;

async function createApiToken(
  database: Database,
  { scopes, name, days }: TokenOptions,
  io: CommandIo,
): Promise<number> {
  const token = createToken(system.newSecret());
  const createdAt = database.now();
  const expiryFields = days === undefined ? {} : { expiresAt: createdAt + days * DAY_MS };
  const storedToken = await addToken(database, { hash: hashToken(token), name, scopes, createdAt, ...expiryFields });
  // Only the token is printed to stdout, so that scripts can read it.
  io.stdout.write(`${token}\n`);
  io.stderr.write(
    `Token ${storedToken.id} has the scopes ${storedToken.scopes.join(", ")}. Copy it now: it is not shown again.\n`,
  );
  return 0;
}

function printTokens(tokens: readonly ListedToken[], isJson: boolean, io: CommandIo): number {
  if (isJson) {
    io.stdout.write(tokens.map((token) => formatJson(toJson(token))).join(""));
    return 0;
  }
  if (tokens.length === 0) io.stderr.write(`No tokens found. Create one with "${io.program} token create".\n`);
  io.stdout.write(tokens.map(toText).join(""));
  return 0;
}

function toJson({ id, name, scopes, createdAt, expiresAt, revokedAt }: ListedToken): object {
  return {
    id,
    name,
    scopes,
    created_at: formatIsoTime(createdAt),
    expires_at: formatIsoTime(expiresAt),
    revoked_at: formatIsoTime(revokedAt),
  };
}

function toText({ id, name, scopes, createdAt, expiresAt, revokedAt }: ListedToken): string {
  const expiryNote = expiresAt === undefined ? "" : `  ends ${formatDay(expiresAt)}`;
  const state = revokedAt === undefined ? expiryNote : `  revoked ${formatDay(revokedAt)}`;
  return `${id}  created ${formatDay(createdAt)}${state}  ${scopes.join(",")}${name === "" ? "" : `  ${name}`}\n`;
}

async function revokeTokens(database: Database, ids: readonly string[], io: CommandIo): Promise<number> {
  const now = database.now();
  let code = 0;
  for (const id of ids) {
    if (await revokeToken(database, id, now)) {
      io.stdout.write(`Revoked: ${id}.\n`);
      continue;
    }
    io.stderr.write(`vitrine: there is no valid token "${id}"; see "${io.program} token list".\n`);
    code = 1;
  }
  return code;
}

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function formatIsoTime(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

interface SearchKeyOptions {
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
async function printSearchKey(storeDir: string, { filters, days }: SearchKeyOptions, io: CommandIo): Promise<number> {
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
