import { statSync } from "node:fs";

/** Device and inode of a file: another file under the same name has others. @returns undefined where it cannot be found */
export function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** The file that is open is not the one that has its name by now: what is written to it is lost when the process ends. */
export class FileReplaced extends Error {
  override readonly name = "FileReplaced";
}

/** @param expected what `identityOf` told when the file was opened  @throws FileReplaced */
export function requireSameFile(file: string, expected: string | undefined): void {
  if (identityOf(file) === expected) return;
  throw new FileReplaced(
    `${file} was deleted or replaced while in use, so nothing is read from it or written to it. ` +
      "Put the very same file back, or stop the server, put a backup in its place and start it again.",
  );
}
