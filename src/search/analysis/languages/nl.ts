import { germanicLinks, type Language } from "./language.ts";

/** Dutch. */
export const dutch: Language = {
  code: "nl",
  articles: ["de", "het", "een"],
  plurals: [
    ["", "en"],
    ["e", "en"],
    ["", "eren"],
  ],
  compoundLinks: germanicLinks,
  phraseBreaks: ["voor", "met", "van"],
  purposes: ["voor"],
  functionWords: [
    "en",
    "of",
    "in",
    "op",
    "aan",
    "bij",
    "te",
    "ten",
    "ter",
    "zonder",
    "uit",
    "tot",
    "naar",
    "om",
    "door",
    "over",
    "onder",
    "tussen",
    "als",
    "is",
    "der",
    "den",
  ],
};
