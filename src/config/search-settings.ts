import * as v from "valibot";
import { flag, group, metafields, optionalSetting, setting, synonyms } from "./value-kinds.ts";

/** Settings of the product search. */
export const search = v.optional(
  group({
    synonyms: setting(
      synonyms,
      [],
      "groups of equivalent words; see also [`search/synonyms.txt`](../how-to/tune-search.md#add-a-synonym)",
    ),
    typoTolerance: setting(flag, true, "match words with one or two typing errors"),
    implicitFeedback: setting(
      flag,
      false,
      "rank products higher that many customers open or add to the cart after a search; see [Search data](../explanation/search-data-and-privacy.md#clicks)",
    ),
    popularityFromOrders: setting(
      flag,
      false,
      "rank products higher that many customers bought; see [Search data](../explanation/search-data-and-privacy.md#sales)",
    ),
    statistics: optionalSetting(
      flag,
      "count searches and their outcome for the [console](../how-to/use-the-console.md) and the event `search.not_found`; default: the value of `console`. See [Search data](../explanation/search-data-and-privacy.md#daily-statistics)",
    ),
    filterMetafields: setting(metafields, [], "product metafields (`namespace.key`) to offer as filters"),
  }),
  {},
);
