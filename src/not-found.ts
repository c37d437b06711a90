/**
 * Whether an error means that a file does not exist. All other errors of reading (no rights, no file descriptors left,
 * a failing disk) leave that unknown.
 */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/**
 * For `catch` handlers of file reads. @returns undefined if the file does not exist  @throws the same error otherwise
 */
export function undefinedIfNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}
