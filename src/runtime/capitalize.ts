/** Returns a text with a capital first letter.  @param locale language of the text. Default: English */
export function capitalize(text: string, locale = "en"): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}
