/**
 * An error that the merchant can fix: the message says what is wrong, where, and what to do next. Printed without a
 * stack trace.
 */
export class SetupError extends Error {
  override readonly name = "SetupError";
}

/** Describes a file system error and its fix; undefined if the merchant cannot fix it. */
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
