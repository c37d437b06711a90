import type { SearchIndex } from "@vitrine/search";
import { createSearcher } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import { type LiveStock, staticStock } from "../catalog/live/live-stock.ts";
import { openCatalog } from "../catalog/packed/packed-catalog.ts";
import type { SearchRules } from "../predictive-search/rules/search-rules.ts";
import { schema } from "../predictive-search/schema.ts";
import { createBoosts } from "../signals/boosts.ts";
import type { BuiltBase } from "./build.ts";
import { createDerivedLayer, type Deriving } from "./derived-layer.ts";
import { type FeedOptions, openFeed, type SnapshotFeed, type SnapshotParts } from "./feed.ts";
import { segmentsOf } from "./layers.ts";

/** One revision of the catalogue and the index over it. A request keeps the snapshot it began with. */
export interface Snapshot {
  readonly revision: number;
  readonly catalog: Catalog;
  readonly index: SearchIndex;
}

/** The content of the shop at one moment. A change of the catalog or the rules creates a new object; stock changes within it. */
export interface ShopSnapshot extends Snapshot {
  readonly rules: SearchRules;
  readonly stock: LiveStock;
}

/** @returns the same object until the catalog or the rules change */
export function createShopSnapshots(
  catalog: () => Snapshot,
  rules: () => SearchRules,
  stock: LiveStock,
): () => ShopSnapshot {
  let [ofCatalog, ofRules] = [catalog(), rules()];
  let current: ShopSnapshot = { ...ofCatalog, rules: ofRules, stock };
  return () => {
    const [newestCatalog, newestRules] = [catalog(), rules()];
    if (newestCatalog === ofCatalog && newestRules === ofRules) return current;
    [ofCatalog, ofRules] = [newestCatalog, newestRules];
    current = { ...ofCatalog, rules: ofRules, stock };
    return current;
  };
}

/** The newest snapshot, kept up with the database. */
export interface Snapshots extends Pick<SnapshotFeed, "refresh" | "facts" | "close"> {
  /** Always there, whatever the database does. */
  readonly current: () => Snapshot;
}

/** Opens the catalogue of a database and follows its changes, in one thread.
 *  @throws where the first snapshot cannot be built */
export async function openSnapshots(options: FeedOptions): Promise<Snapshots> {
  const assemble = createAssembler((base) => feed.giveUp(base), options.config);
  const feed = await openFeed(options, (parts) => {
    snapshot = assemble(parts);
  });
  let snapshot = assemble(feed.current());
  return { current: () => snapshot, refresh: feed.refresh, facts: feed.facts, close: feed.close };
}

/** Makes snapshots of their parts, one for each thread. Cheap: nothing is copied, and what is known of parts that stay is kept.
 *  @param onDamage told that a row of the base is not as it was written  @param stock absent: quantities are as the catalogue tells them */
export function createAssembler(
  onDamage: (base: BuiltBase) => void,
  settings: Deriving,
  stock: LiveStock = staticStock,
): (parts: SnapshotParts) => Snapshot {
  const searcher = createSearcher(schema);
  const layOver = createDerivedLayer(settings);
  const boostsFor = createBoosts();
  return ({ layers, synonyms, signals }) => {
    const deltas = layers.deltas.map(({ delta }) => delta);
    const { catalog, segments } = layOver(openCatalog(layers.base.base, deltas, () => onDamage(layers.base), stock));
    return {
      revision: catalog.revision,
      catalog,
      index: searcher.open([...segmentsOf(layers), ...segments], {
        synonyms,
        popular: signals.popular,
        boosts: boostsFor(signals, catalog),
      }),
    };
  };
}
