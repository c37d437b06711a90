import { isHandle } from "../../catalog/rows/identity.ts";

/**
 * Converts a text to a handle: "Été, 50% off" becomes "ete-50-off". Returns "" for a text without letters and digits.
 */
export function handleOf(text: string): string {
  const asciiText = text
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .slice(0, 200)
    .replace(/^-+|-+$/g, "");
  return isHandle(asciiText) ? asciiText : "";
}

/**
 * Converts text to HTML. Blank lines separate paragraphs, and other line ends become line breaks. HTML stays unchanged.
 */
export function formatHtml(text: string): string {
  const normalizedText = text.replace(/\r\n?/g, "\n").trim();
  if (normalizedText === "" || /<(?:p|div|ul|ol|table|h[1-6]|br|section|blockquote)[\s/>]/i.test(normalizedText))
    return normalizedText;
  const isHtml = /<\/?[a-z][^<>]*>|&[a-z]+;|&#\d+;/i.test(normalizedText);
  const escapedText = isHtml
    ? normalizedText
    : normalizedText.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return escapedText
    .split(/\n\s*\n/)
    .map((part) => `<p>${part.trim().replace(/\n/g, "<br>")}</p>`)
    .join("");
}

/** Removes HTML tags from a text of one line, such as a title. A line break becomes a space. */
export function removeTags(text: string): string {
  if (!text.includes("<")) return text;
  return text
    .replace(/<br[^<>]*>/gi, " ")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/\s+/g, " ")
    .trim();
}
