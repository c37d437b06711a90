import type { SynonymGroup } from "@vitrine/search";
import type { SearchRules } from "./search-rules.ts";

/** The synonyms of the settings with those of the rules files. @returns the same list until one of the files changes */
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
