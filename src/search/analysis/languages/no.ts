import { germanicLinks, type Language } from "./language.ts";

/** Norwegian, where a store does not say which. */
export const norwegian: Language = {
  code: "no",
  compoundLinks: germanicLinks,
};
