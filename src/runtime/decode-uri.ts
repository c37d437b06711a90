/** Decodes percent-encoding.  @param fallback result for a text with invalid percent-encoding */
export function decodeUriPart(text: string, fallback = ""): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return fallback;
  }
}
