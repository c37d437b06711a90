import type { Language } from "./language.ts";

/** Italian. */
export const italian: Language = {
  code: "it",
  articles: ["il", "lo", "la", "i", "gli", "le", "un", "uno", "una"],
  plurals: [
    ["o", "i"],
    ["a", "e"],
    ["e", "i"],
    ["ca", "che"],
    ["co", "chi"],
    ["go", "ghi"],
    ["ga", "ghe"],
  ],
  phraseBreaks: ["per", "con", "e", "da", "di"],
  purposes: ["per"],
  units: {
    l: ["litro", "litri"],
  },
};
