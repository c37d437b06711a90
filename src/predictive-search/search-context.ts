import type { SearchIndex } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import type { SearchRules } from "./rules/search-rules.ts";

/** Where and when a search is made. */
export interface SearchContext {
  readonly catalog: Catalog;
  readonly index: SearchIndex;
  readonly locale: string;
  /** Milliseconds since 1970; bundles end and articles begin by it. */
  readonly now: number;
  readonly typoTolerance: boolean;
  /** The merchant's; absent: none. */
  readonly rules?: SearchRules;
}
