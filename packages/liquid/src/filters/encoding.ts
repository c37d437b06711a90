import { type FilterFamily, taking } from "../compile/filter.ts";
import { RenderError } from "../errors.ts";
import { textOf } from "../values/text.ts";

const family: FilterFamily = {
  url_encode(value) {
    if (value === undefined || value === null) return undefined;
    const text = encodeURIComponent(textOf(value).toWellFormed());
    return text
      .replace(/[!'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll("%20", "+");
  },
  url_decode(value) {
    if (value === undefined || value === null) return undefined;
    const text = textOf(value);
    // Ruby stops at a percent sign that fewer than two characters follow.
    const end = /%.?$/s.exec(text)?.index ?? text.length;
    const read = text.slice(0, end).replaceAll("+", " ");
    const bytes = read.replace(/(?:%[\da-f]{2})+/gi, (codes) => decoded(Buffer.from(codes.replaceAll("%", ""), "hex")));
    return bytes + text.slice(end);
  },
  base64_encode: (value) => bytesOf(value).toString("base64"),
  base64_decode: (value) => fromBase64(textOf(value), "base64_decode", /^[\w+/]*={0,2}$/),
  base64_url_safe_encode: (value) => bytesOf(value).toString("base64").replaceAll("+", "-").replaceAll("/", "_"),
  base64_url_safe_decode: (value) => fromBase64(textOf(value), "base64_url_safe_decode", /^[\w-]*={0,2}$/),
};

export const encodingFilters = taking(0, 0, family);

function bytesOf(value: unknown): Buffer {
  return Buffer.from(textOf(value), "utf8");
}

function fromBase64(text: string, name: string, alphabet: RegExp): string {
  const isComplete =
    name === "base64_decode" ? text.length % 4 === 0 && !text.includes("_") : text.replace(/=+$/, "").length % 4 !== 1;
  if (!alphabet.test(text) || !isComplete) throw new RenderError(`invalid base64 provided to ${name}`);
  return Buffer.from(text.replaceAll("-", "+").replaceAll("_", "/"), "base64").toString("utf8");
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new RenderError("invalid byte sequence in UTF-8");
  }
}
