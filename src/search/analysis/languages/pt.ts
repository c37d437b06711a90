import type { Language } from "./language.ts";

/** Portuguese. */
export const portuguese: Language = {
  code: "pt",
  articles: ["o", "a", "os", "as", "um", "uma", "uns", "umas"],
  plurals: [
    ["ao", "oes"],
    ["l", "is"],
    ["m", "ns"],
  ],
  phraseBreaks: ["para", "de", "e"],
  purposes: ["para"],
  functionWords: [
    "com",
    "em",
    "no",
    "na",
    "nos",
    "nas",
    "do",
    "da",
    "dos",
    "das",
    "ao",
    "aos",
    "por",
    "pelo",
    "pela",
    "sem",
    "ou",
    "sobre",
    "entre",
    "como",
    "que",
    "num",
    "numa",
  ],
};
