import { germanicLinks, type Language } from "./language.ts";
import { bokmal } from "./nb.ts";

/** Norwegian, where a store does not say which. Units and packs are those of Bokmål, as all languages share them. */
export const norwegian: Language = {
  code: "no",
  compoundLinks: germanicLinks,
  functionWords: [...(bokmal.articles ?? []), ...(bokmal.phraseBreaks ?? []), ...(bokmal.functionWords ?? [])],
};
