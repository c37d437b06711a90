import type { Reply } from "./reply.ts";

/**
 * Creates an XML response.
 * @param type media type, for example "application/atom+xml"
 * @param root the document's root element
 */
export function createXmlReply(type: string, root: string): Reply {
  return {
    status: 200,
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": "public, max-age=3600" },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${root}`,
  };
}

/**
 * Escapes text for XML content or attributes. Characters that XML 1.0 forbids, such as most control characters, are
 * removed.
 */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(forbiddenCharacters, "")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Characters that XML 1.0 forbids.  @see https://www.w3.org/TR/xml/#charsets */
const forbiddenCharacters = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
