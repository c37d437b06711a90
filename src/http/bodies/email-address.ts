/** Whether a text looks like an address that mail can be sent to: whether it is one only a mail can tell. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL && form.test(text);
}

/** @see RFC 5321, 4.5.3.1 */
const MAX_EMAIL = 254;
const form = /^[^\s@<>(),;:"\\\p{Cc}]+@[^\s@<>(),;:"\\\p{Cc}]+\.[^\s@.<>(),;:"\\\p{Cc}]+$/u;
