import { readFileSync } from "node:fs";

/**
 * Returns whether an error means that a file does not exist. Other read errors, such as missing permissions, do not say
 * whether the file exists.
 */
export function isNotFound(error: unknown): boolean {
  const code = getErrorCode(error);
  return typeof code === "string" && notFoundCodes.has(code);
}

/** Error codes of paths without a file. A file with a name that is too long cannot exist. */
const notFoundCodes: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

/**
 * Handles the error of a file read, in a `catch` clause.
 * @returns undefined if the file does not exist
 * @throws the same error otherwise
 */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}

/** Returns the code of an error of Node.js, such as "EEXIST". Undefined for other errors. */
export function getErrorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Returns the text of a file; undefined if the file does not exist. */
export function readOptionalText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return ignoreNotFound(error);
  }
}
