import type { ThemeUnderCheck } from "./theme-under-check.ts";

/**
 * Reports files that are not valid UTF-8, since some characters are lost, and files that begin with a byte order mark.
 */
export function checkEncoding(check: ThemeUnderCheck): void {
  for (const [file, text] of check.theme.folder.texts) {
    if (text.startsWith("\uFEFF"))
      check.add(
        "warning",
        "encoding",
        { file, line: 1, column: 1 },
        "begins with a byte order mark: save it as UTF-8 without one",
      );
    const at = text.indexOf("\uFFFD");
    if (at >= 0)
      check.add(
        "fault",
        "encoding",
        check.place(file, at),
        "is not UTF-8 here, and the sign is lost: save the file as UTF-8",
      );
  }
}
