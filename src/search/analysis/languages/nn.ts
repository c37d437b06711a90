import { germanicLinks, type Language } from "./language.ts";

/** Norwegian Nynorsk. */
export const nynorsk: Language = {
  code: "nn",
  compoundLinks: germanicLinks,
  functionWords: [
    "ein",
    "ei",
    "eit",
    "den",
    "det",
    "dei",
    "og",
    "eller",
    "i",
    "pa",
    "av",
    "fra",
    "for",
    "utan",
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
