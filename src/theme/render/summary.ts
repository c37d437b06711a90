import { extractText } from "../../catalog/html-text.ts";
import { truncateText } from "../../runtime/truncate-text.ts";

/** Returns the start of an HTML text without tags, cut at the end of a word. Returns undefined if the text is empty. */
export function summarize(html: string): string | undefined {
  const text = extractText(html.slice(0, maxSummaryLength * 16));
  if (text === "") return undefined;
  if (text.length <= maxSummaryLength) return text;
  const excerpt = text.slice(0, maxSummaryLength);
  const lastSpaceIndex = excerpt.lastIndexOf(" ");
  // Japanese and similar languages have no spaces between words, so the text can be cut anywhere.
  const trimmedExcerpt =
    lastSpaceIndex > maxSummaryLength / 2 ? excerpt.slice(0, lastSpaceIndex) : truncateText(text, maxSummaryLength - 1);
  return `${trimmedExcerpt.replace(/[\s,;:–—-]+$/u, "")}…`;
}

/** Maximum length of a page's description in search results, in characters. */
const maxSummaryLength = 160;
