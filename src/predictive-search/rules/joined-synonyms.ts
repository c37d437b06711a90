import type { SynonymGroup } from "@vitrine/search";
import type { SearchRules } from "./search-rules.ts";

/** Joins the synonyms of the settings and of the search rules. @returns a function that returns the same list until the rules change */
export function joinSynonyms(
  settings: readonly SynonymGroup[],
  rules: () => SearchRules,
): () => readonly SynonymGroup[] {
  let of: SearchRules["synonyms"] | undefined;
  let joined: readonly SynonymGroup[] = settings;
  return () => {
    const { synonyms } = rules();
    if (synonyms !== of) {
      joined = [...settings, ...synonyms.map(({ from, to }) => (to === undefined ? from : { from, to }))];
      of = synonyms;
    }
    return joined;
  };
}
