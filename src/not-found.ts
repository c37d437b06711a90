/**
 * Returns whether an error means that a file does not exist. Other read errors, such as missing permissions, do not say
 * whether the file exists.
 */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/**
 * Handles the error of a file read, in a `catch` clause.
 * @returns undefined if the file does not exist
 * @throws the same error otherwise
 */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}
