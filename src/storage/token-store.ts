import type { RevokedLogins } from "../console/console.ts";
import type { ApiToken, ApiTokens, NewApiToken } from "../security/api-token.ts";
import { findAppliedWrites, insertAppliedWrites } from "./applied-writes.ts";
import { type Database, type SqlRow, type Statement, tryWrite } from "./database.ts";

/** An API token with its times of creation, expiry, and revocation. */
export interface ListedToken extends ApiToken {
  /** Time of creation in milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

/** Creates the storage of API tokens. Each request reads the token's hash, so that a revocation applies immediately. */
export function createTokenStore(database: Database): ApiTokens {
  return {
    async find(tokenHash, now) {
      const [row] = await database.read(
        `${selectSql} WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
        [tokenHash, now],
      );
      return row === undefined ? undefined : toListedToken(row);
    },
    hasConsoleToken: () => hasConsoleToken(database),
    async addFirst(token) {
      // The key of the record makes concurrent requests of several servers conflict.
      const record = { key: FIRST_TOKEN_KEY, fingerprint: "", scopes: [FIRST_TOKEN_KEY], response: "" };
      const statements = insertAppliedWrites([record], token.createdAt);
      const guard = { sql: `SELECT 1 AS allowed WHERE NOT EXISTS (${consoleTokenSql})`, params: [], requireRows: 1 };
      const results = await tryWrite(database, [...statements, guard, insertToken(token)]);
      return results && toListedToken(results.at(-1)?.[0] ?? {});
    },
  };
}

const FIRST_TOKEN_KEY = "first console token";

/** Returns whether a token with the scope `console` was ever created. */
export async function hasConsoleToken(database: Pick<Database, "read">): Promise<boolean> {
  return (await database.read(`${consoleTokenSql} LIMIT 1`, [])).length > 0;
}

/** Stores the hash of a new token. */
export async function addToken(database: Database, token: NewApiToken): Promise<ListedToken> {
  const [[row] = []] = await database.write([insertToken(token)]);
  if (row === undefined) throw new Error("the new token was not returned");
  return toListedToken(row);
}

/** Reads all tokens, including expired and revoked ones, oldest first. */
export async function listTokens(database: Database): Promise<readonly ListedToken[]> {
  return (await database.read(`${selectSql} ORDER BY created_at, id`)).map(toListedToken);
}

/** Revokes a token.  @returns false if the token does not exist, or was already revoked */
export async function revokeToken(database: Database, id: string, now: number): Promise<boolean> {
  const [rows = []] = await database.write([
    {
      sql: "UPDATE api_tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id",
      params: [id, now],
    },
  ]);
  return rows.length > 0;
}

function insertToken({ hash, name, scopes, createdAt, expiresAt }: NewApiToken): Statement {
  return {
    sql: `INSERT INTO api_tokens (id, hash, name, scopes, created_at, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
    params: [hash.slice(0, ID_LENGTH), hash, name, scopes.join(" "), createdAt, expiresAt ?? null],
  };
}

/** Number of hex digits of the hash that identify a token, enough for the tokens of one shop. */
const ID_LENGTH = 12;

const columns = "id, name, scopes, created_at, expires_at, revoked_at";
const selectSql = `SELECT ${columns} FROM api_tokens`;
const consoleTokenSql = "SELECT id FROM api_tokens WHERE scopes LIKE '%console%'";

function toListedToken(row: SqlRow): ListedToken {
  const { expires_at, revoked_at } = row;
  return {
    id: String(row.id),
    name: String(row.name),
    scopes: String(row.scopes).split(" ") as ListedToken["scopes"],
    createdAt: Number(row.created_at),
    ...(expires_at == null ? {} : { expiresAt: Number(expires_at) }),
    ...(revoked_at == null ? {} : { revokedAt: Number(revoked_at) }),
  };
}

/**
 * Stores which console logins have ended. It uses the table `applied_writes`, whose rows expire after a day, because no
 * login is valid for longer.
 */
export function createLogoutStore(database: Database): RevokedLogins {
  return {
    async add(login, now) {
      const logoutRecord = { key: login, fingerprint: "", scopes: [LOGOUT_SCOPE], response: "" };
      // The condition fails if the login had already ended.
      await tryWrite(database, insertAppliedWrites([logoutRecord], now));
    },
    async has(login, now) {
      const key = { key: login, fingerprint: "", visitor: LOGOUT_SCOPE };
      return (await findAppliedWrites(database, [key], undefined, now)).length > 0;
    },
  };
}

const LOGOUT_SCOPE = "console logins that were ended";
