import { germanicLinks, type Language } from "./language.ts";

/** Danish. */
export const danish: Language = {
  code: "da",
  articles: ["en", "et"],
  plurals: [
    ["", "e"],
    ["", "er"],
    ["e", "er"],
  ],
  compoundLinks: germanicLinks,
  phraseBreaks: ["med", "til"],
  purposes: ["til"],
};
