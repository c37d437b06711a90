import { defineFilters, type FilterFunctions } from "../compile/filter.ts";
import { LiquidError } from "../errors.ts";
import { textOf } from "../values/text.ts";

const encodingFunctions: FilterFunctions = {
  escape: escapeValue,
  h: escapeValue,
  /** Escapes HTML but does not change existing entities such as `&amp;` and `&#39;`. */
  escape_once: (value) => textOf(value).replace(/["'<>]|&(?!(?:[a-zA-Z]+|#\d+);)/g, toHtmlEntity),
  /** Removes HTML tags. The content of scripts, styles, and comments is removed too. */
  strip_html(value) {
    let text = textOf(value);
    for (const [begin, end] of removedBlocks) text = removeBlocks(text, begin, end);
    return removeBlocks(text, "<", ">");
  },
  url_encode(value) {
    if (value === undefined || value === null) return undefined;
    const text = encodeURIComponent(textOf(value).toWellFormed());
    return text
      .replace(/[!'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll("%20", "+");
  },
  url_decode(value) {
    if (value === undefined || value === null) return undefined;
    const text = textOf(value);
    // An incomplete percent escape at the end is not decoded, as in Ruby.
    const end = /%.?$/s.exec(text)?.index ?? text.length;
    const encodedText = text.slice(0, end).replaceAll("+", " ");
    const decodedText = encodedText.replace(/(?:%[\da-f]{2})+/gi, (codes) => decodeUtf8(decodeHex(codes)));
    return decodedText + text.slice(end);
  },
  base64_encode: (value) => toBase64(textOf(value)),
  base64_decode: (value) => decodeBase64(textOf(value), "base64_decode", /^[\w+/]*={0,2}$/),
  base64_url_safe_encode: (value) => toBase64(textOf(value)).replaceAll("+", "-").replaceAll("/", "_"),
  base64_url_safe_decode: (value) => decodeBase64(textOf(value), "base64_url_safe_decode", /^[\w-]*={0,2}$/),
};

export const encodingFilters = defineFilters(0, 0, encodingFunctions);

function toBase64(text: string): string {
  let binaryText = "";
  for (const byte of new TextEncoder().encode(text)) binaryText += String.fromCharCode(byte);
  return btoa(binaryText);
}

function decodeBase64(text: string, name: string, alphabet: RegExp): string {
  if (!alphabet.test(text)) throw createBase64Error(name);
  // The alphabet allows padding only at the end.
  const paddingIndex = text.indexOf("=");
  const digits = paddingIndex === -1 ? text : text.slice(0, paddingIndex);
  const isComplete = name === "base64_decode" ? text.length % 4 === 0 && !text.includes("_") : digits.length % 4 !== 1;
  if (!isComplete) throw createBase64Error(name);
  const binaryText = atob(digits.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(
    Uint8Array.from(binaryText, (character) => character.charCodeAt(0)),
  );
}

function createBase64Error(name: string): LiquidError {
  return new LiquidError("render", `invalid base64 provided to ${name}`);
}

/** Decodes percent-encoded bytes.  @param codes for example "%c3%a9" */
function decodeHex(codes: string): Uint8Array {
  return Uint8Array.from(codes.slice(1).split("%"), (code) => Number.parseInt(code, 16));
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new LiquidError("render", "invalid byte sequence in UTF-8");
  }
}

const removedBlocks = [
  ["<script", "</script>"],
  ["<!--", "-->"],
  ["<style", "</style>"],
] as const;

/** Removes all text from `openingText` to `end`. Runs in linear time even if many blocks start and none ends. */
function removeBlocks(text: string, openingText: string, end: string): string {
  let result = "";
  let from = 0;
  for (;;) {
    const blockStart = text.indexOf(openingText, from);
    const blockEnd = blockStart < 0 ? -1 : text.indexOf(end, blockStart + openingText.length);
    if (blockEnd < 0) return result + text.slice(from);
    result += text.slice(from, blockStart);
    from = blockEnd + end.length;
  }
}

function escapeValue(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = textOf(value);
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, toHtmlEntity) : text;
}

function toHtmlEntity(character: string): string {
  return entities.get(character) ?? character;
}

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);
