import type { SearchIndex } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import type { SearchRules } from "./rules/search-rules.ts";

/** Time, language, and data sources of a search. */
export interface SearchContext {
  readonly catalog: Catalog;
  readonly index: SearchIndex;
  readonly locale: string;
  /** Current time in milliseconds since 1970, which decides whether bundles and articles are visible. */
  readonly now: number;
  readonly typoTolerance: boolean;
  /** Whether results contain only the best product of each group of similar products. Default: false. */
  readonly collapse?: boolean;
  /** The merchant's search rules. Default: none. */
  readonly rules?: SearchRules;
  /**
   * Draft of the rules that is tested with shoppers. `arm` is the number of the visitor's test group, which decides how
   * the results of the draft and of the live rules are interleaved. Default: none.
   */
  readonly testedRules?: { readonly index: SearchIndex; readonly rules: SearchRules; readonly arm: number };
}
