import { isHandle } from "../../catalog/rows/identity.ts";

/** A text as a part of an address: "Été, 50% off" is "ete-50-off"; "" where it has no letter or digit. */
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

/** Text as HTML: paragraphs where lines are left blank, line breaks elsewhere; HTML stays as it is. */
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
