import { resolve } from "node:path";
import { DAY_MS } from "../../runtime/durations.ts";
import { createToken, hashToken, scopes, type TokenScope } from "../../security/api-token.ts";
import type { Database } from "../../storage/database.ts";
import { addToken, type ListedToken, listTokens, revokeToken } from "../../storage/token-store.ts";
import { system } from "../../system.ts";
import { readArguments, reportWrongUsage } from "../arguments.ts";
import type { CommandIo } from "../io.ts";
import { printSearchKey } from "../search-key.ts";
import { openStore } from "../store-database.ts";

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

/** Runs `vitrine token`. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const text = { type: "string" } as const;
  const options = {
    ...{ store: text, scopes: text, name: text, days: text, filters: text },
    json: { type: "boolean" },
  } as const;
  const parsedArguments = readArguments(args, options, usage, io);
  if (typeof parsedArguments === "number") return parsedArguments;
  const [action, ...ids] = parsedArguments.positionals;
  const { values } = parsedArguments;
  const runWithStore = async (task: (database: Database) => Promise<number>): Promise<number> => {
    const { database } = await openStore(resolve(io.cwd, String(values.store ?? ".")), io.env.DATABASE_URL);
    try {
      return await task(database);
    } finally {
      await database.close();
    }
  };
  if (action === "create" && ids.length === 0) {
    const request = readTokenOptions(values);
    return typeof request === "string"
      ? reportWrongUsage(request, usage, io)
      : runWithStore((database) => createApiToken(database, request, io));
  }
  if (action === "list" && ids.length === 0)
    return runWithStore(async (database) => printTokens(await listTokens(database), values.json === true, io));
  if (action === "revoke" && ids.length > 0) return runWithStore((database) => revokeTokens(database, ids, io));
  if (action === "search-key" && ids.length === 0) {
    const days = readDays(values.days);
    if (typeof days === "string") return reportWrongUsage(days, usage, io);
    const keyOptions = { filters: String(values.filters ?? ""), days: days ?? DEFAULT_KEY_DAYS };
    return printSearchKey(resolve(io.cwd, String(values.store ?? ".")), keyOptions, io);
  }
  return reportWrongUsage(
    action === "revoke" ? "name the tokens to revoke by their ids." : "use create, list, revoke or search-key.",
    usage,
    io,
  );
}

interface TokenOptions {
  readonly scopes: readonly TokenScope[];
  readonly name: string;
  readonly days?: number;
}

/** Returns the options of the new token, or an error message. */
function readTokenOptions(values: Readonly<Record<string, string | boolean | undefined>>): TokenOptions | string {
  const requestedScopes = String(values.scopes ?? "")
    .split(/[\s,]+/)
    .filter(Boolean);
  if (requestedScopes.length === 0) return "list the token's permissions with --scopes.";
  const unknownScope = requestedScopes.find((scopeName) => !scopes.some((scope) => scope === scopeName));
  if (unknownScope !== undefined) return `there is no scope "${unknownScope}": ${scopes.join(", ")}.`;
  const name = String(values.name ?? "").trim();
  if (name.length > MAX_NAME_LENGTH) return `--name has ${MAX_NAME_LENGTH} characters at most.`;
  const tokenOptions = { scopes: scopes.filter((scope) => requestedScopes.includes(scope)), name };
  const days = readDays(values.days);
  if (typeof days === "string") return days;
  return days === undefined ? tokenOptions : { ...tokenOptions, days };
}

/** Returns the value of `--days`, undefined if it is missing, or an error message. */
function readDays(value: string | boolean | undefined): number | string | undefined {
  if (value === undefined) return undefined;
  const days = Number(value);
  return Number.isInteger(days) && days >= 1 && days <= MAX_DAYS ? days : `--days is a number from 1 to ${MAX_DAYS}.`;
}

const MAX_NAME_LENGTH = 100;
const MAX_DAYS = 3_650;
const DEFAULT_KEY_DAYS = 365;

async function createApiToken(
  database: Database,
  { scopes, name, days }: TokenOptions,
  io: CommandIo,
): Promise<number> {
  const token = createToken(system.newId() + system.newId());
  const createdAt = database.now?.() ?? system.now();
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
    io.stdout.write(tokens.map((token) => `${JSON.stringify(toJson(token))}\n`).join(""));
    return 0;
  }
  if (tokens.length === 0) io.stderr.write('No tokens found. Create one with "vitrine token create".\n');
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
  const now = database.now?.() ?? system.now();
  let code = 0;
  for (const id of ids) {
    if (await revokeToken(database, id, now)) {
      io.stdout.write(`Revoked: ${id}.\n`);
      continue;
    }
    io.stderr.write(`vitrine: there is no valid token "${id}"; see "vitrine token list".\n`);
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
