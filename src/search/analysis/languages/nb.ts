import { germanicLinks, type Language } from "./language.ts";

/** Norwegian Bokmål. */
export const bokmal: Language = {
  code: "nb",
  articles: ["en", "ei", "et"],
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
    "og",
    "eller",
    "i",
    "pa",
    "av",
    "fra",
    "for",
    "uten",
    "om",
    "ved",
    "under",
    "over",
    "mellom",
    "som",
    "er",
    "a",
  ],
};
