import { germanicLinks, type Language } from "./language.ts";

/** Icelandic. */
export const icelandic: Language = {
  code: "is",
  compoundLinks: germanicLinks,
  functionWords: ["og", "eda", "med", "fyrir", "an", "i", "a", "til", "fra", "um", "vid", "hja", "sem", "er"],
};
