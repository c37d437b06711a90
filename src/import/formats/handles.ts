import { isHandle } from "../../catalog/rows/identity.ts";

/** A text as a part of an address: "Été, 50% off" is "ete-50-off"; "" where it has no letter or digit. */
export function handleOf(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .slice(0, 200)
    .replace(/^-+|-+$/g, "");
  return isHandle(plain) ? plain : "";
}
