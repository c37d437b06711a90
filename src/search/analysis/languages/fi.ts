import { germanicLinks, type Language } from "./language.ts";

/** Finnish. */
export const finnish: Language = {
  code: "fi",
  compoundLinks: germanicLinks,
  functionWords: ["ja", "tai", "seka", "kanssa", "ilman", "varten", "on"],
};
