import type { Language } from "./language.ts";

/** French. */
export const french: Language = {
  code: "fr",
  articles: ["le", "la", "les", "un", "une", "des", "du"],
  plurals: [
    ["", "x"],
    ["al", "aux"],
    ["ail", "aux"],
    ["f", "ves"],
  ],
  phraseBreaks: ["pour", "avec", "et", "de", "en"],
  purposes: ["pour"],
  fillers: ["de", "la", "le", "les", "des", "du", "et", "en", "pour", "avec"],
  functionWords: [
    "l",
    "d",
    "a",
    "au",
    "aux",
    "ou",
    "sur",
    "sous",
    "sans",
    "par",
    "dans",
    "vers",
    "chez",
    "entre",
    "comme",
    "que",
    "qui",
    "ce",
    "son",
    "sa",
    "ses",
  ],
  units: {
    g: ["gramme", "grammes"],
    kg: ["kilogramme"],
    in: ["pouce", "pouces"],
  },
};
