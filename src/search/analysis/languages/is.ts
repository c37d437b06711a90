import { germanicLinks, type Language } from "./language.ts";

/** Icelandic. */
export const icelandic: Language = {
  code: "is",
  compoundLinks: germanicLinks,
};
