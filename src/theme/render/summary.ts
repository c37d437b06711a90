import { plainText } from "../../catalog/html-text.ts";

/** The beginning of a text, without its tags, up to the end of a word; undefined where it has none. */
export function summary(html: string): string | undefined {
  const plain = plainText(html.slice(0, maxSummary * 16));
  if (plain === "") return undefined;
  if (plain.length <= maxSummary) return plain;
  const cut = plain.slice(0, maxSummary);
  const blank = cut.lastIndexOf(" ");
  // Japanese and the like have no blanks between words.
  const whole = blank > maxSummary / 2 ? cut.slice(0, blank) : cut.slice(0, -1).replace(/[\ud800-\udbff]$/, "");
  return `${whole.replace(/[\s,;:–—-]+$/u, "")}…`;
}

/** Characters of a page's description: as many as search engines show. */
const maxSummary = 160;
