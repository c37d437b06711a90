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
