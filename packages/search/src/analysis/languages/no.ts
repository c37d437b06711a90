import { germanicLinks, type Language } from "./language.ts";
import { bokmal } from "./nb.ts";

/** Norwegian without a written standard. Units and packs are those of Bokmål, since all languages share them. */
export const norwegian: Language = {
  code: "no",
  compoundLinks: germanicLinks,
  functionWords: [...(bokmal.articles ?? []), ...(bokmal.phraseBreaks ?? []), ...(bokmal.functionWords ?? [])],
};
