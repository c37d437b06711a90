import { germanicLinks, type Language } from "./language.ts";

/** Swedish. */
export const swedish: Language = {
  code: "sv",
  articles: ["en", "ett"],
  plurals: [
    ["", "ar"],
    ["", "or"],
    ["", "er"],
    ["e", "en"],
    ["a", "an"],
    ["o", "on"],
    ["a", "or"],
  ],
  compoundLinks: germanicLinks,
  phraseBreaks: ["och", "med"],
  functionWords: [
    "den",
    "det",
    "de",
    "eller",
    "i",
    "pa",
    "av",
    "fran",
    "for",
    "utan",
    "om",
    "vid",
    "under",
    "over",
    "mellan",
    "som",
    "ar",
    "till",
    "at",
  ],
};
