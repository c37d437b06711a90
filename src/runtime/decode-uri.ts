/** Decodes percent-encoding.  @param fallback result for a text with invalid percent-encoding */
export function decodeUriPart(text: string, fallback = ""): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return fallback;
  }
}

/** Returns whether the percent-encoding of a text is valid. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
