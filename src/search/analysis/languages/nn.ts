import { germanicLinks, type Language } from "./language.ts";

/** Norwegian Nynorsk. */
export const nynorsk: Language = {
  code: "nn",
  compoundLinks: germanicLinks,
};
