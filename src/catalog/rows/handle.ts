/** A text as addresses have it: "Winter Coats!" -> "winter-coats", "Été" -> "ete". Letters of the Latin alphabet lose their accents; those of
 *  other scripts keep the marks that make them what they are. A handle's handle is itself. */
export function handleOf(text: string): string {
  return text
    .slice(0, 1_000)
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
