import { decodeHTMLStrict } from "entities/decode";
import { isObject } from "../runtime/is-object.ts";

/** Returns the text of an HTML fragment without tags, comments, scripts and styles, in linear time for any input. */
export function extractText(html: string): string {
  if (!html.includes("<") && !html.includes("&")) return html;
  let text = "";
  let position = 0;
  while (position < html.length) {
    const tagStart = html.indexOf("<", position);
    const end = tagStart < 0 ? html.length : tagStart;
    text += html.slice(position, end);
    if (tagStart < 0) break;
    position = findTagEnd(html, tagStart);
    text += position === tagStart + 1 ? "<" : " ";
  }
  return decodeEntities(text).replace(/\s+/g, " ").trim();
}

/** Returns the index after the tag at `tagStart`, or the index after `<` if no tag starts there. */
function findTagEnd(html: string, tagStart: number): number {
  const name = /^<(!--|[a-z/!?][a-z]{0,10})/i.exec(html.slice(tagStart, tagStart + 12))?.[1]?.toLowerCase();
  if (name === undefined) return tagStart + 1;
  if (name === "!--") return findEndAfter("-->", html, tagStart);
  const closingTagStart =
    name === "script" || name === "style" ? (findClosingTag(html, name, tagStart) ?? html.length) : tagStart;
  return findEndAfter(">", html, closingTagStart);
}

/** Returns the start of an element's closing tag, such as `</script`, or undefined.  @param name in any case */
export function findClosingTag(html: string, name: string, from: number): number | undefined {
  const pattern = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  pattern.lastIndex = from;
  return pattern.exec(html)?.index;
}

function findEndAfter(end: string, html: string, from: number): number {
  const position = html.indexOf(end, from);
  return position < 0 ? html.length : position + end.length;
}

/**
 * Decodes HTML5 character references that end with a semicolon. Control characters and invalid code points become
 * spaces.
 */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(characterReferencePattern, (entity) => decodeHTMLStrict(entity).replace(/[\p{Cc}\uFFFD]/u, " "));
}

/** The longest name of a character reference has 31 letters. */
const characterReferencePattern = /&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});/g;

/**
 * Returns the values of a metafield as strings, for filters. A list yields several values, an object none.
 * @param fields metafields by namespace and key, each a plain value or `{ type, value }`
 * @param name "namespace.key"
 */
export function listMetafieldTexts(fields: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const dotIndex = name.indexOf(".");
  const group = Object.hasOwn(fields, name.slice(0, dotIndex)) ? fields[name.slice(0, dotIndex)] : undefined;
  if (typeof group !== "object" || group === null) return [];
  const property: unknown = Object.getOwnPropertyDescriptor(group, name.slice(dotIndex + 1))?.value;
  const value = isObject(property) && "type" in property && "value" in property ? property.value : property;
  return (Array.isArray(value) ? value : [value])
    .filter((item) => ["string", "number", "boolean"].includes(typeof item))
    .map((item) => String(item).trim())
    .filter((text) => text !== "");
}
