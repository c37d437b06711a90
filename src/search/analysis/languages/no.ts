import { germanicLinks, type Language } from "./language.ts";

/** Norwegian, where a store does not say which. */
export const norwegian: Language = {
  code: "no",
  compoundLinks: germanicLinks,
  functionWords: [
    "en",
    "ei",
    "et",
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
    "med",
    "til",
    "a",
  ],
};
