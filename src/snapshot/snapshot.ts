import type { SearchIndex } from "@vitrine/search";
import { createSearcher } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import { type LiveStock, staticStock } from "../catalog/live/live-stock.ts";
import { openCatalog } from "../catalog/packed/packed-catalog.ts";
import type { SearchRules } from "../predictive-search/rules/search-rules.ts";
import { schema } from "../predictive-search/schema.ts";
import { memoizePerObject } from "../runtime/cache.ts";
import { createBoosts } from "../signals/boosts.ts";
import { createCoPurchaseFinder } from "../signals/bought-together.ts";
import type { TestedRules } from "../signals/signals.ts";
import type { BaseLayer } from "./build.ts";
import { createDerivedLayer, type DerivedCollectionSettings } from "./derived-layer.ts";
import type { SnapshotContent } from "./feed.ts";
import { listSegments } from "./layers.ts";

/** One revision of the catalog with its search index. A request uses the same snapshot from start to end. */
export interface Snapshot {
  readonly revision: number;
  readonly catalog: Catalog;
  readonly index: SearchIndex;
  /** Returns the ids of the products that customers bought together with a product, best first. */
  readonly boughtTogether: (productId: string) => readonly string[];
}

/**
 * The content of the shop at one moment. A change of the catalog or the rules creates a new object. Only stock changes
 * within an existing object.
 */
export interface ShopSnapshot extends Snapshot {
  readonly rules: SearchRules;
  readonly stock: LiveStock;
  /** Draft of the search rules that is tested with shoppers; undefined without a test. */
  readonly testedRules?: TestedRules | undefined;
}

/**
 * Returns a function that combines catalog, rules, tested rules and stock. It returns the same object until the catalog
 * or the rules change.
 */
export function createShopSnapshots(
  catalog: () => Snapshot,
  rules: () => SearchRules,
  stock: LiveStock,
  testedRules: () => TestedRules | undefined,
): () => ShopSnapshot {
  let [catalogSnapshot, currentRules, currentTestedRules] = [catalog(), rules(), testedRules()];
  let shopSnapshot: ShopSnapshot = { ...catalogSnapshot, rules: currentRules, testedRules: currentTestedRules, stock };
  return () => {
    const [newestCatalog, newestRules, newestRulesTest] = [catalog(), rules(), testedRules()];
    if (newestCatalog === catalogSnapshot && newestRules === currentRules && newestRulesTest === currentTestedRules)
      return shopSnapshot;
    [catalogSnapshot, currentRules, currentTestedRules] = [newestCatalog, newestRules, newestRulesTest];
    shopSnapshot = { ...catalogSnapshot, rules: currentRules, testedRules: currentTestedRules, stock };
    return shopSnapshot;
  };
}

/** Returns a function that opens the catalog without its search index, for a thread that does not search. */
export function createCatalogOpener(settings: DerivedCollectionSettings): (parts: SnapshotContent) => Catalog {
  const addDerivedLayer = createDerivedLayer(settings);
  return memoizePerObject(
    ({ layers: { base, deltas } }: SnapshotContent) =>
      addDerivedLayer(
        openCatalog(
          base.base,
          deltas.map(({ delta }) => delta),
        ),
      ).catalog,
  );
}

/**
 * Returns a function that creates snapshots from their parts. Call it once in each thread. Creating a snapshot is
 * cheap: nothing is copied, and caches of unchanged parts are reused.
 * @param onDamage called when a row of the full build is damaged
 * @param stock current stock. Default: quantities of the catalog
 */
export function createAssembler(
  onDamage: (baseLayer: BaseLayer) => void,
  settings: DerivedCollectionSettings,
  stock: LiveStock = staticStock,
): (parts: SnapshotContent) => Snapshot {
  const searcher = createSearcher(schema);
  const addDerivedLayer = createDerivedLayer(settings);
  const computeBoosts = createBoosts();
  const findCoPurchases = createCoPurchaseFinder();
  return ({ layers, synonyms, signals }) => {
    const packedDeltas = layers.deltas.map(({ delta }) => delta);
    const { catalog, segments } = addDerivedLayer(
      openCatalog(layers.base.base, packedDeltas, () => onDamage(layers.base), stock),
    );
    return {
      revision: catalog.revision,
      catalog,
      index: searcher.open([...listSegments(layers), ...segments], {
        synonyms,
        popular: signals.popularSearches,
        boosts: computeBoosts(signals, catalog),
      }),
      boughtTogether: findCoPurchases(signals),
    };
  };
}
