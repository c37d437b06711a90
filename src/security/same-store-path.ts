/**
 * Returns path and query of a text that names a page of this store; undefined if the text may lead to another site.
 *
 * The text must start with one `/`, and have at most 2,048 characters, no `\` and no control character, plain or
 * percent-encoded. After resolving dots, the path must not start with `//`, since browsers would read it as another
 * host. A fragment is dropped.
 * @see spec 4.8
 */
export function parseSameStorePath(text: string): string | undefined {
  if (text.length > MAX_PATH_LENGTH || !/^\/(?!\/)/.test(text) || FORBIDDEN_CHARACTERS.test(text)) return undefined;
  const url = URL.parse(text, DUMMY_ORIGIN);
  if (url === null || url.origin !== DUMMY_ORIGIN || url.pathname.startsWith("//")) return undefined;
  return url.pathname + url.search;
}

const MAX_PATH_LENGTH = 2_048;
const DUMMY_ORIGIN = "http://store.invalid";
/** Matches `\`, the control characters of ASCII and Latin-1, and their percent-encoded UTF-8 forms. */
const FORBIDDEN_CHARACTERS = /[\\\u0000-\u001f\u007f-\u009f]|%(?:[01][0-9a-f]|7f|c2%[89][0-9a-f])/i;
