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
  functionWords: [
    "den",
    "det",
    "de",
    "af",
    "og",
    "i",
    "pa",
    "for",
    "fra",
    "om",
    "at",
    "ved",
    "under",
    "over",
    "mellem",
    "uden",
    "eller",
    "som",
    "der",
    "er",
  ],
};
