import type { EndedLogins } from "../console/console.ts";
import type { ApiToken, ApiTokens } from "../security/api-token.ts";
import { findAppliedWrites, recordAppliedWrites } from "./applied-writes.ts";
import { type Database, type SqlRow, WriteConflict } from "./database.ts";

/** A token in a list. */
export interface ListedToken extends ApiToken {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

/** Looks up tokens by their hash at each request, so that a revocation applies immediately. */
export function createTokenStore(database: Database): ApiTokens {
  return {
    async find(tokenHash, now) {
      const [row] = await database.read(
        `${select} WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
        [tokenHash, now],
      );
      return row === undefined ? undefined : toToken(row);
    },
  };
}

/**
 * Stores the hash of a new token. @param token.expiresAt milliseconds since 1970; undefined if it is valid until it is
 * revoked
 */
export async function addToken(
  database: Database,
  token: Pick<ListedToken, "name" | "scopes" | "createdAt" | "expiresAt"> & { readonly hash: string },
): Promise<ListedToken> {
  const { hash, name, scopes, createdAt, expiresAt } = token;
  const [[row] = []] = await database.write([
    {
      sql: `INSERT INTO api_tokens (id, hash, name, scopes, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
      params: [hash.slice(0, ID_LENGTH), hash, name, scopes.join(" "), createdAt, expiresAt ?? null],
    },
  ]);
  if (row === undefined) throw new Error("the new token was not returned");
  return toToken(row);
}

/** Reads all tokens, including expired and revoked ones, oldest first. */
export async function listTokens(database: Database): Promise<readonly ListedToken[]> {
  return (await database.read(`${select} ORDER BY created_at, id`)).map(toToken);
}

/** @returns false if there is no such token, or it was revoked before */
export async function revokeToken(database: Database, id: string, now: number): Promise<boolean> {
  const [rows = []] = await database.write([
    {
      sql: "UPDATE api_tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id",
      params: [id, now],
    },
  ]);
  return rows.length > 0;
}

/** Hex digits of the hash that identify a token: enough for the tokens of a shop. */
const ID_LENGTH = 12;

const columns = "id, name, scopes, created_at, expires_at, revoked_at";
const select = `SELECT ${columns} FROM api_tokens`;

function toToken(row: SqlRow): ListedToken {
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

/** Stored with the keys of carts, which expire after a day: a login is not valid for longer. */
export function createEndedLogins(database: Database): EndedLogins {
  return {
    async add(login, now) {
      try {
        const ended = { key: login, fingerprint: "", scopes: [SCOPE], answer: "" };
        await database.write(recordAppliedWrites([ended], now));
      } catch (error) {
        // It was ended before.
        if (!(error instanceof WriteConflict)) throw error;
      }
    },
    async has(login, now) {
      const key = { key: login, fingerprint: "", visitor: SCOPE };
      return (await findAppliedWrites(database, [key], undefined, now)).length > 0;
    },
  };
}

const SCOPE = "console logins that were ended";
