import { DatabaseUnavailableError } from "../database.ts";

/**
 * Returns whether the database is the cause of an error, and not the statement: it is unreachable, overloaded,
 * read-only, too slow, or denies a permission. Checks SQLSTATE classes, SQLSTATE codes, and socket codes.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  const code = errorCodeOf(error);
  // Driver errors such as "Connection terminated" and "Query read timeout" have no code.
  if (code === undefined) return error instanceof Error && /connect|terminat|timeout|closed/i.test(error.message);
  return /^(08|53|57P|58)/.test(code) || unavailableCodes.has(code);
}

/**
 * Returns whether the connection broke during a statement, which may or may not have run. Another connection may work.
 */
export function isBrokenConnection(error: unknown): boolean {
  const code = errorCodeOf(error);
  if (code === undefined) return error instanceof Error && /connection (terminated|error)/i.test(error.message);
  return code === "ECONNRESET" || code === "EPIPE" || code === "57P01";
}

/** Returns whether the response to a sent statement was lost. The statement may have run, or may run later. */
export function isResponseLost(error: unknown): boolean {
  const code = errorCodeOf(error);
  if (code === undefined) return !(error instanceof DatabaseUnavailableError) && isUnavailable(error);
  return /^(E[A-Z_]+|08...|57P..)$/.test(code);
}

/** Returns whether a deadlock or a serialization failure occurred. Nothing was written, and a retry may succeed. */
export function isRetryable(error: unknown): boolean {
  const code = errorCodeOf(error);
  return code === "40001" || code === "40P01";
}

/** Returns whether another transaction held a lock for too long. Nothing was written. */
export function isLockTimeout(error: unknown): boolean {
  return errorCodeOf(error) === "55P03";
}

/** Returns whether the database has no free slot for another connection. */
export function isConnectionLimit(error: unknown): boolean {
  return errorCodeOf(error) === "53300";
}

/** Returns the next step for an error that the database reports. */
export function describeRemedy(error: unknown): string {
  if (isConnectionLimit(error)) return "Close other connections, or raise max_connections or the limit of the role.";
  if (errorCodeOf(error) === INSUFFICIENT_PRIVILEGE)
    return "Grant the role CONNECT on the database, CREATE and USAGE on the schema, and ALL on its tables.";
  return "Check that the server is running and the URL is correct.";
}

/** Returns the message of an error, or its code if it has none. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(errorCodeOf(error) ?? error);
}

/** Returns why the database is unavailable. For a missing permission, includes the next step. */
export function describeUnavailability(error: unknown): string {
  const message = messageOf(error);
  return errorCodeOf(error) === INSUFFICIENT_PRIVILEGE ? `${message}. ${describeRemedy(error)}` : message;
}

const INSUFFICIENT_PRIVILEGE = "42501";

const unavailableCodes: ReadonlySet<string> = new Set([
  "25006", // read_only_sql_transaction
  "25P03", // idle_in_transaction_session_timeout
  "55P03", // lock_not_available
  "57014", // query_canceled: the statement took too long.
  "28P01", // invalid_password
  "28000", // invalid_authorization_specification
  "3D000", // invalid_catalog_name
  INSUFFICIENT_PRIVILEGE,
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
]);

function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
