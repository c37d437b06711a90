import { isHandle } from "../../catalog/rows/identity.ts";

/**
 * Converts a text to a handle: "Été, 50% off" becomes "ete-50-off". Returns "" for a text without letters and digits.
 */
export function handleOf(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .slice(0, 200)
    .replace(/^-+|-+$/g, "");
  return isHandle(plain) ? plain : "";
}

/**
 * Converts text to HTML. Blank lines separate paragraphs, and other line ends become line breaks. HTML stays unchanged.
 */
export function htmlOf(text: string): string {
  const plain = text.replace(/\r\n?/g, "\n").trim();
  if (plain === "" || /<(?:p|div|ul|ol|table|h[1-6]|br|section|blockquote)[\s/>]/i.test(plain)) return plain;
  const isHtml = /<\/?[a-z][^>]*>|&[a-z]+;|&#\d+;/i.test(plain);
  const escaped = isHtml ? plain : plain.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return escaped
    .split(/\n\s*\n/)
    .map((part) => `<p>${part.trim().replace(/\n/g, "<br>")}</p>`)
    .join("");
}
