import type { Catalog } from "./catalog/catalog.ts";
import type { SearchIndex } from "./search/search-index.ts";

/** One revision of the catalogue and the index over it. A request keeps the snapshot it began with. */
export interface Snapshot {
  readonly revision: number;
  readonly catalog: Catalog;
  readonly index: SearchIndex;
}
