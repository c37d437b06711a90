import * as v from "valibot";
import { flag, group, metafields, optionalSetting, setting, synonyms } from "./value-kinds.ts";

/** How searches are answered, and what their pages offer. */
export const search = v.optional(
  group({
    synonyms: setting(
      synonyms,
      [],
      "words that stand for one another; more in [`search/synonyms.txt`](../how-to/tune-search.md)",
    ),
    typoTolerance: setting(flag, true, "words are found with one or two wrong letters, too"),
    implicitFeedback: setting(
      flag,
      false,
      "products that many shoppers open or take after a search come a little earlier in it; see [Operation](../how-to/deployment.md)",
    ),
    popularityFromOrders: setting(
      flag,
      false,
      "products that many have bought and paid for come a little earlier in every search that finds them; see [Operation](../how-to/deployment.md#what-buyers-bought)",
    ),
    statistics: optionalSetting(
      flag,
      "what shoppers search, and what comes of it, is counted by the day, by networks and never by whom, for the [console](../how-to/use-the-console.md) and the event `search.not_found`; without it, where `console` is on; see [Operation](../how-to/deployment.md)",
    ),
    filterMetafields: setting(
      metafields,
      [],
      "metafields of products (`namespace.key`) that search pages and collections offer as filters",
    ),
  }),
  {},
);
