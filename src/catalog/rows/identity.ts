import { hash } from "node:crypto";
import { type Fields, parseRequiredName, report } from "./fields.ts";

const MAX_ID_LENGTH = 100;
const MAX_HANDLE_LENGTH = 255;

/**
 * Returns a row's `id` as a string: an integer or short text from the file. A row without an id gets an id derived from
 * `getUniqueText`.
 * @param getUniqueText returns a text that is unique among the rows of this kind
 */
export function readId(fields: Fields, getUniqueText: () => string): string {
  const value = fields.values.id;
  if (value === undefined || value === null) return deriveId(getUniqueText());
  if (typeof value === "number") {
    if (Number.isSafeInteger(value) && value > 0) return String(value);
    report(fields, "id", "must be a whole number from 1 to 9007199254740991, or a string");
    return "";
  }
  if (typeof value === "string" && value.length <= MAX_ID_LENGTH && /^[\p{L}\p{N}](?:[^\s\p{C}]*)$/u.test(value))
    return value;
  report(
    fields,
    "id",
    `must be a whole number, or start with a letter or digit and have at most ${MAX_ID_LENGTH} characters and no spaces`,
  );
  return "";
}

/** Returns a row's `handle`, which identifies it in URLs. */
export function readHandle(fields: Fields, name = "handle"): string {
  const handle = parseRequiredName(fields, name);
  if (handle !== "" && !isHandle(handle)) {
    const characters = 'no spaces, control characters or any of / \\ ? # % " < >';
    report(fields, name, `must have at most ${MAX_HANDLE_LENGTH} characters, ${characters}, and not be "." or ".."`);
  }
  return handle;
}

export function isHandle(text: string): boolean {
  return text.length <= MAX_HANDLE_LENGTH && /^[^\s\p{C}/\\?#%"<>]+$/u.test(text) && !/^\.{1,2}$/.test(text);
}

/** Returns the default id of an article.  @param name handles of blog and article: "news/first" */
export function deriveArticleId(name: string): string {
  return deriveId(`article\n${name}`);
}

/** Returns a positive integer below 2^53, the same for equal texts on every machine. */
export function deriveId(seed: string): string {
  const bytes = hash("sha256", seed, "buffer");
  // The result uses 53 bits (48 and 5), the integers that a JSON number represents exactly.
  return String(bytes.readUIntBE(0, 6) * 32 + (bytes.readUInt8(6) >> 3) || 1);
}

/**
 * Converts a text to a URL handle, as Shopify does: "Winter Coats!" becomes "winter-coats", "Men's" becomes "mens", and
 * "Été" becomes "ete". Only Latin letters lose their accents. A text that is already a handle stays unchanged.
 */
export function handleOf(text: string): string {
  return text
    .slice(0, 1_000)
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/["'()[\]]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-")
    .replace(/^-|-$/g, "");
}
