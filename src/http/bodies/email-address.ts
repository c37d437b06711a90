/** Whether a string has the form of an email address. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL && form.test(text);
}

/** Maximum characters of an address.  @see RFC 5321, 4.5.3.1 */
const MAX_EMAIL = 254;
const form = /^[^\s@<>(),;:"\\\p{Cc}]+@[^\s@<>(),;:"\\\p{Cc}]+\.[^\s@.<>(),;:"\\\p{Cc}]+$/u;
