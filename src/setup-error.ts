import { getErrorCode } from "./not-found.ts";

/**
 * An error that the merchant can fix. The message states the problem, its location, and the solution. It is printed
 * without a stack trace.
 */
export class SetupError extends Error {
  override readonly name = "SetupError";
}

/** Returns whether an error means that the disk, or the quota of its user, is full. */
export function isDiskFull(error: unknown): boolean {
  const code = getErrorCode(error);
  return code === "ENOSPC" || code === "EDQUOT";
}

/** Returns a description of a file system error with its solution; undefined if the merchant cannot fix the error. */
export function describeFileError(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && "path" in error)) return undefined;
  if (isDiskFull(error)) return "the disk is full: free some space";
  switch (error.code) {
    case "EACCES":
    case "EPERM":
      return "permission denied: grant access to the user who runs this command";
    case "EROFS":
      return "the file system is read-only: mount it as writable, or use another folder";
    case "EEXIST":
    case "ENOTDIR":
      return "a file exists in place of a folder: move the file";
    case "ELOOP":
      return "symbolic links form a loop: correct or remove them";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open: raise the limit of the user who runs this command (ulimit -n)";
    default:
      return undefined;
  }
}

/**
 * Returns a message with the path of a file system error and its solution; undefined if the merchant cannot fix it. If
 * the source of a copy is readable, its destination caused the error.
 */
export function explainFileError(error: unknown): string | undefined {
  const message = describeFileError(error);
  if (message === undefined) return undefined;
  const { path, dest = path } = error as { readonly path?: unknown; readonly dest?: unknown };
  return `${dest}: ${message}.`;
}
