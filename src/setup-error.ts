/**
 * An error that the merchant can fix. The message states the problem, its location, and the solution. It is printed
 * without a stack trace.
 */
export class SetupError extends Error {
  override readonly name = "SetupError";
}

/** Returns a description of a file system error with its solution; undefined if the merchant cannot fix the error. */
export function describeFileError(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && "path" in error)) return undefined;
  switch (error.code) {
    case "EACCES":
    case "EPERM":
      return "permission denied: give the user who runs this the right to it";
    case "EROFS":
      return "its file system is read-only: mount it so that it can be written, or name another folder";
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full: make room there";
    case "EEXIST":
    case "ENOTDIR":
      return "a folder is needed there, and a file has its name: move the file away";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open: let the user who runs this open more (ulimit -n)";
    default:
      return undefined;
  }
}
