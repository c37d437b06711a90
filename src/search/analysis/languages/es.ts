import type { Language } from "./language.ts";

/** Spanish. */
export const spanish: Language = {
  code: "es",
  articles: ["el", "la", "los", "las", "un", "una", "unos", "unas"],
  plurals: [["z", "ces"]],
  phraseBreaks: ["para", "con", "y", "de", "en"],
  purposes: ["para"],
  fillers: ["de", "la", "el", "los", "del", "en", "y", "con", "para", "por"],
  functionWords: ["al", "sin", "o", "u", "e", "sobre", "entre", "desde", "hasta", "como", "que", "su", "a", "lo"],
  units: {
    l: ["litro", "litros"],
    g: ["gramos"],
    in: ["pulgadas"],
  },
};
