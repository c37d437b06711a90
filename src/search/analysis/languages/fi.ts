import { germanicLinks, type Language } from "./language.ts";

/** Finnish. */
export const finnish: Language = {
  code: "fi",
  compoundLinks: germanicLinks,
};
