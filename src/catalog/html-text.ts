import { decodeHTMLStrict } from "entities/decode";

/** Returns the text of an HTML fragment without tags, comments, scripts and styles, in linear time for any input. */
export function plainText(html: string): string {
  if (!html.includes("<") && !html.includes("&")) return html;
  let text = "";
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const end = open < 0 ? html.length : open;
    text += html.slice(at, end);
    if (open < 0) break;
    at = endOfTag(html, open);
    text += at === open + 1 ? "<" : " ";
  }
  return decodeEntities(text).replace(/\s+/g, " ").trim();
}

/** Returns the index after the tag that starts with `<` at `open`, or the index after `<` if no tag starts there. */
function endOfTag(html: string, open: number): number {
  const name = /^<(!--|[a-z/!?][a-z]{0,10})/i.exec(html.slice(open, open + 12))?.[1]?.toLowerCase();
  if (name === undefined) return open + 1;
  if (name === "!--") return behind("-->", html, open);
  const close = name === "script" || name === "style" ? closingTag(html, name, open) : open;
  return behind(">", html, close);
}

/**
 * Returns the index of `</script` or `</style`, ignoring case, or the length of the text if the closing tag is missing.
 */
function closingTag(html: string, name: "script" | "style", from: number): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

function behind(end: string, html: string, from: number): number {
  const at = html.indexOf(end, from);
  return at < 0 ? html.length : at + end.length;
}

/**
 * Decodes HTML5 character references that end with a semicolon. Control characters and invalid code points become
 * spaces.
 */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(reference, (one) => decodeHTMLStrict(one).replace(/[\p{Cc}\uFFFD]/u, " "));
}

/** The longest name of a character reference has 31 letters. */
const reference = /&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});/g;

/**
 * Returns the values of a metafield as strings, for filters. A list yields several values, an object none.
 * @param fields metafields: namespace -> key -> value, or -> `{ type, value }`
 * @param name "namespace.key"
 */
export function metafieldTexts(fields: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const dot = name.indexOf(".");
  const group = Object.hasOwn(fields, name.slice(0, dot)) ? fields[name.slice(0, dot)] : undefined;
  if (typeof group !== "object" || group === null) return [];
  const property: unknown = Object.getOwnPropertyDescriptor(group, name.slice(dot + 1))?.value;
  const isTyped = typeof property === "object" && property !== null && "type" in property && "value" in property;
  const value: unknown = isTyped ? property.value : property;
  return (Array.isArray(value) ? value : [value])
    .filter((one) => ["string", "number", "boolean"].includes(typeof one))
    .map((one) => String(one).trim())
    .filter((text) => text !== "");
}
