/** A file that is not there. All else that keeps one from being read (no rights, no file descriptors left, a disk that fails) says
 *  nothing of whether it is. */
export function isAbsence(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** For what fails where a file cannot be read. @returns undefined where it is not there  @throws what it is given, else */
export function unlessAbsent(error: unknown): undefined {
  if (!isAbsence(error)) throw error;
  return undefined;
}
