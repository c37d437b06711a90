import { createHash, createHmac } from "node:crypto";
import { blake3 } from "@noble/hashes/blake3.js";
import { createEngine } from "@vitrine/liquid";
import { decodeEntities } from "../../catalog/html-text.ts";
import { handleOf } from "../../catalog/rows/identity.ts";
import { capitalize } from "../../runtime/capitalize.ts";
import { createEscapedText, EscapedText, escapeTextOnce, ImageElement, SafeHtml } from "../liquid/safe-html.ts";
import { type Filter, type FilterFamily, reportError, textOf } from "./filter.ts";

const handleize: Filter = (value) => handleOf(unescapedTextOf(value));
const { filters: standardFilters } = createEngine();

export const stringFilters: FilterFamily = {
  /** Escapes text for HTML, and HTML of other filters. Escaped text (`SafeHtml`) and `img` elements stay unchanged. */
  escape(value) {
    return value instanceof ImageElement ? value : escapeWith(createEscapedText, value);
  },
  /** Escapes text except existing entities such as `&amp;` and `&eacute;`. */
  escape_once(value) {
    return value instanceof ImageElement ? value : escapeWith(escapeTextOnce, value);
  },
  /** Removes HTML tags, and the `<` of a tag that is never closed. Escaped HTML stays escaped. */
  strip_html(value) {
    if (isEscapedText(value)) return value;
    const html = textOf(standardFilters.get("strip_html")?.apply.call(this, textOf(value)));
    return value instanceof SafeHtml ? new SafeHtml(html, decodeEntities(html)) : html.replace(/<(?=[a-z/!?])/gi, "");
  },
  url_encode(value) {
    return standardFilters.get("url_encode")?.apply.call(this, value instanceof SafeHtml ? value.text : value);
  },
  handle: handleize,
  handleize,
  /** Converts "coming-soon" to "ComingSoon". */
  camelize,
  camelcase: camelize,
  url_param_escape: encodeUrl,
  url_escape(value) {
    const url = encodeURI(unescapedTextOf(value).toWellFormed());
    // Templates print the result in attributes, which an apostrophe could end.
    return value instanceof SafeHtml ? url.replaceAll("'", "%27") : url;
  },
  pluralize: (count, singular, plural) => (Number(textOf(count)) === 1 ? textOf(singular) : textOf(plural)),
};

/** Returns whether a value is text that is already escaped, without the elements that filters such as `link_to` add. */
function isEscapedText(value: unknown): value is SafeHtml {
  return value instanceof SafeHtml && !value.hasElements;
}

/** Escapes text, and HTML with elements. */
function escapeWith(escapeText: (text: string) => SafeHtml, value: unknown): EscapedText {
  const { html, text } = isEscapedText(value) ? value : escapeText(textOf(value));
  return new EscapedText(html, text);
}

/** Returns a value as text for a URL or a handle, in which entities such as `&quot;` have no meaning. */
function unescapedTextOf(value: unknown): string {
  return value instanceof SafeHtml ? value.text : textOf(value);
}

function camelize(value: unknown): string {
  return textOf(value)
    .split(/[\s_-]+/)
    .map((word) => capitalize(word))
    .join("");
}

function encodeUrl(value: unknown): string {
  const text = encodeURIComponent(unescapedTextOf(value).toWellFormed());
  return text.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Maximum number of bytes that `blake3` hashes, which takes 15 ms. BLAKE3 is implemented in JavaScript and is twenty
 * times slower than the built-in hash functions.
 */
const maxBlake3Bytes = 1_000_000;

/** Filters that return the hash of a string's UTF-8 bytes in hexadecimal. */
export const digestFilters: FilterFamily = {
  blake3(value) {
    const bytes = Buffer.from(textOf(value));
    return bytes.length > maxBlake3Bytes
      ? reportError(this, `blake3 of more than ${maxBlake3Bytes} bytes`)
      : Buffer.from(blake3(bytes)).toString("hex");
  },
  md5: (value) => hashText("md5", value),
  sha1: (value) => hashText("sha1", value),
  sha256: (value) => hashText("sha256", value),
  hmac_sha1: (value, key) => createHmac("sha1", textOf(key)).update(textOf(value)).digest("hex"),
  hmac_sha256: (value, key) => createHmac("sha256", textOf(key)).update(textOf(value)).digest("hex"),
};

function hashText(name: string, value: unknown): string {
  return createHash(name).update(textOf(value)).digest("hex");
}
