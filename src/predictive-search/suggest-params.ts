export const resourceTypes = ["product", "collection", "page", "article", "bundle", "query"] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** What the shopper's theme asked for, checked. @see spec 4.1 */
export interface SuggestParams {
  readonly q: string;
  readonly types: readonly ResourceType[];
  /** 1 to 10. */
  readonly limit: number;
  readonly limitScope: "all" | "each";
  readonly unavailableProducts: "last" | "show" | "hide";
  /** Names of `resources[options][fields]`; absent: all. */
  readonly fields?: readonly string[];
}
