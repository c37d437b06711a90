/**
 * Removes control characters from a text of a visitor, some of which reverse the direction of the text around them. Tabs
 * and line breaks remain.
 */
export function removeControlCharacters(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
}
