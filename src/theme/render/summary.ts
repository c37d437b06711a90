import { plainText } from "../../catalog/html-text.ts";

/** Returns the start of a text without tags, cut after a word, or undefined if the text is empty. */
export function summary(html: string): string | undefined {
  const plain = plainText(html.slice(0, maxSummary * 16));
  if (plain === "") return undefined;
  if (plain.length <= maxSummary) return plain;
  const cut = plain.slice(0, maxSummary);
  const blank = cut.lastIndexOf(" ");
  // Japanese and similar languages have no spaces between words.
  const trimmed = blank > maxSummary / 2 ? cut.slice(0, blank) : cut.slice(0, -1).replace(/[\ud800-\udbff]$/, "");
  return `${trimmed.replace(/[\s,;:–—-]+$/u, "")}…`;
}

/** Maximum characters of a page's description, as search engines show it. */
const maxSummary = 160;
