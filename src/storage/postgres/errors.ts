import { DatabaseUnavailable } from "../database.ts";

/**
 * The database is unreachable, overloaded, read-only, or too slow; the statement is correct. Compares SQLSTATE classes
 * and codes, and socket codes.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const code = codeOf(error);
  // The driver's errors ("Connection terminated", "Query read timeout") have no code.
  if (code === undefined) return error instanceof Error && /connect|terminat|timeout|closed/i.test(error.message);
  return /^(08|53|57P|58)/.test(code) || unavailableCodes.has(code);
}

/** The connection broke during the statement, which may have run or not; another connection may work. */
export function isBrokenConnection(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && /connection (terminated|error)/i.test(error.message);
  return code === "ECONNRESET" || code === "EPIPE" || code === "57P01";
}

/**
 * A sent statement has no response: it may have run, or may run later. Statements that the server rejected did not run.
 */
export function isResponseLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return !(error instanceof DatabaseUnavailable) && isUnavailable(error);
  return /^(E[A-Z_]+|08...|57P..)$/.test(code);
}

/** A deadlock or a serialization failure: nothing was written, and a retry may succeed. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40001" || code === "40P01";
}

/** Another transaction held a lock for too long: nothing was written. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === "55P03";
}

const unavailableCodes: ReadonlySet<string> = new Set([
  "25006", // read_only_sql_transaction
  "25P03", // idle_in_transaction_session_timeout
  "55P03", // lock_not_available
  "57014", // query_canceled: the statement took too long
  "28P01", // invalid_password
  "28000", // invalid_authorization_specification
  "3D000", // invalid_catalog_name
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
]);

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
