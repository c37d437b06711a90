import type { SearchIndex } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import type { SearchRules } from "./rules/search-rules.ts";

/** Time, language, and data of a search. */
export interface SearchContext {
  readonly catalog: Catalog;
  readonly index: SearchIndex;
  readonly locale: string;
  /** Milliseconds since 1970; bundles end and articles begin by it. */
  readonly now: number;
  readonly typoTolerance: boolean;
  /** The merchant's rules. Default: none. */
  readonly rules?: SearchRules;
}
