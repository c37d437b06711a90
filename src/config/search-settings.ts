import * as v from "valibot";
import {
  defineGroup,
  flagSchema,
  metafieldsSchema,
  optionalSetting,
  originsSchema,
  setting,
  synonymsSchema,
} from "./value-kinds.ts";

/** Settings of the product search. */
export const searchSchema = v.optional(
  defineGroup({
    synonyms: setting(
      synonymsSchema,
      [],
      "groups of equivalent words; see also [`search/synonyms.txt`](../how-to/tune-search.md#add-a-synonym)",
    ),
    typoTolerance: setting(flagSchema, true, "match words with one or two typing errors"),
    implicitFeedback: setting(
      flagSchema,
      false,
      "rank products higher that many customers open or add to the cart after a search; see [Search data](../explanation/search-data-and-privacy.md#clicks)",
    ),
    popularityFromOrders: setting(
      flagSchema,
      false,
      "rank products higher that many customers bought, and recommend products that they bought together; see [Search data](../explanation/search-data-and-privacy.md#sales)",
    ),
    collapse: setting(
      flagSchema,
      false,
      "show products as one result if they differ only in size, color, or quantity; see [Tune search](../how-to/tune-search.md#collapse-sizes-and-colors)",
    ),
    statistics: optionalSetting(
      flagSchema,
      "count searches and their outcome for the [console](../how-to/use-the-console.md) and the event `search.not_found`; default: the value of `console`. See [Search data](../explanation/search-data-and-privacy.md#daily-statistics)",
    ),
    filterMetafields: setting(metafieldsSchema, [], "product metafields (`namespace.key`) to offer as filters"),
    origins: setting(
      originsSchema,
      [],
      "other origins whose pages may [search with a key](../how-to/embedding.md#search-from-another-origin)",
    ),
  }),
  {},
);
