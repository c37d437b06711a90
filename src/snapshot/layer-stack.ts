import type { CatalogState } from "../storage/catalog/catalog-store.ts";
import { countChangedRows } from "../storage/catalog/catalog-store.ts";
import type { Database } from "../storage/database.ts";
import type { BaseLayer } from "./build.ts";
import type { SnapshotBuilder } from "./builder.ts";
import type { DeltaBuildResult } from "./delta-worker.ts";
import {
  type CatalogLayers,
  computeMaxDeltaRows,
  countUnmergedDeltas,
  createCatalogLayers,
  findMergeStart,
  needsRebuild,
  revisionOf,
  selectOldestLayers,
} from "./layers.ts";

export interface LayerStackOptions {
  readonly database: Database;
  readonly builder: SnapshotBuilder;
  /** The layers at the start. */
  readonly initialLayers: CatalogLayers;
  /** Receives each new full build of the catalog. */
  readonly onNewBase: (base: BaseLayer) => void;
  /** Receives errors of background builds. */
  readonly warn: (error: unknown) => void;
}

/**
 * The current layers of the index, synchronized with the database. The base is a full build. Each change immediately
 * becomes a delta. In the background, deltas are merged to limit their number, and the base is rebuilt when the deltas
 * become large in comparison.
 */
export function createLayerStack({ database, builder, initialLayers, onNewBase, warn }: LayerStackOptions) {
  let layers = initialLayers;
  let isDamaged = false;
  /** Base that was built in the background, until `catchUp` applies it. */
  let pendingBase: BaseLayer | undefined;
  let mergeResult: (DeltaBuildResult & { readonly base: BaseLayer }) | undefined;
  let rebuildPromise: Promise<void> | undefined;
  let runningMerge: Promise<void> | undefined;

  const replaceLayers = async (newLayers: CatalogLayers): Promise<void> => {
    const hasNewBase = newLayers.base !== layers.base;
    if (hasNewBase) await builder.releaseBaseLayer();
    layers = newLayers;
    if (!hasNewBase) return;
    isDamaged = false;
    onNewBase(newLayers.base);
  };
  const replaceBase = (base: BaseLayer): Promise<void> => replaceLayers(createCatalogLayers(base));
  const rebuild = async (): Promise<void> => replaceBase(await builder.base(true));
  const rebuildInBackground = async (): Promise<void> => {
    try {
      pendingBase = await builder.base(true);
    } catch (error) {
      warn(error);
    }
    rebuildPromise = undefined;
  };
  const mergeDeltas = async (firstIndex: number): Promise<void> => {
    const { base } = layers;
    try {
      const buildResult = await builder.merge(selectOldestLayers(layers, firstIndex));
      if (buildResult !== undefined) mergeResult = { ...buildResult, base };
    } catch (error) {
      warn(error);
    }
    runningMerge = undefined;
  };
  const startBackgroundBuilds = (): void => {
    if (rebuildPromise === undefined && pendingBase === undefined && needsRebuild(layers))
      rebuildPromise = rebuildInBackground();
    const firstIndex = findMergeStart(layers.deltas);
    if (runningMerge === undefined && mergeResult === undefined && firstIndex !== undefined)
      runningMerge = mergeDeltas(firstIndex);
  };
  /** Replaces the merged deltas with the result of a merge. Deltas that were built during the merge are kept. */
  const applyMerge = async ({ createdLayer: mergedDelta, base }: NonNullable<typeof mergeResult>): Promise<void> => {
    const { sinceRevision, revision } = mergedDelta.delta;
    const lowerDeltaCount = [base.base, ...layers.deltas.map(({ delta }) => delta)].findIndex(
      (layer) => layer.revision === sinceRevision,
    );
    // The result is obsolete if the base was replaced, or if the delta below the merged deltas was itself merged.
    if (base !== layers.base || lowerDeltaCount < 0) return;
    const upperDeltas = [mergedDelta, ...layers.deltas.filter(({ delta }) => delta.revision > revision)];
    const deletes = await builder.computeDeletes(selectOldestLayers(layers, lowerDeltaCount), upperDeltas);
    layers = { base, deltas: [...layers.deltas.slice(0, lowerDeltaCount), ...upperDeltas], deletes };
  };
  const addChanges = async ({ oldestKeptRevision }: CatalogState): Promise<void> => {
    const lastRevision = revisionOf(layers);
    const maxRows = computeMaxDeltaRows(layers.base.base.positions.length);
    const changedRowCount = await countChangedRows(database, lastRevision, maxRows + 1);
    if (lastRevision < oldestKeptRevision || changedRowCount > maxRows) return rebuild();
    const count = countUnmergedDeltas(layers.deltas, changedRowCount);
    const olderLayers = selectOldestLayers(layers, count);
    const isComplete = (olderLayers.deltas.at(-1) ?? olderLayers.base).revision >= oldestKeptRevision;
    const buildResult = await builder.delta(
      isComplete ? olderLayers : selectOldestLayers(layers, layers.deltas.length),
      changedRowCount,
    );
    if (buildResult === undefined) return rebuild();
    const { createdLayer: newDelta, deletes } = buildResult;
    layers = { ...layers, deltas: [...layers.deltas.slice(0, deletes.length - 2), newDelta], deletes };
  };

  return {
    current: () => layers,
    /**
     * Returns whether `catchUp` has work even if the database is unchanged: a completed background build, or a full
     * build that replaces damaged data.
     */
    hasPendingBuild: () => pendingBase !== undefined || mergeResult !== undefined || isDamaged,
    /**
     * Applies background builds and adds changes. Calls must not overlap. @throws errors of the build; the layers then
     * stay unchanged
     */
    async catchUp(state: CatalogState) {
      const [newBase, mergedDeltas] = [pendingBase, mergeResult];
      [pendingBase, mergeResult] = [undefined, undefined];
      if (newBase !== undefined && newBase.base.revision > layers.base.base.revision) await replaceBase(newBase);
      if (isDamaged) await rebuild();
      if (mergedDeltas !== undefined) await applyMerge(mergedDeltas);
      if (state.revision !== revisionOf(layers)) await addChanges(state);
      startBackgroundBuilds();
    },
    /** Replaces all layers with those of another server. Calls must not overlap calls of `catchUp`. */
    replaceLayers,
    /** Returns whether the next `catchUp` starts with a full build, because a row is damaged. */
    isDamaged: () => isDamaged,
    /** Schedules a full build for the next `catchUp`, because a row of the base is damaged. */
    markDamaged(damagedLayer: BaseLayer) {
      isDamaged ||= damagedLayer === layers.base;
    },
    /** Waits for builds in flight. */
    async close() {
      await Promise.all([rebuildPromise, runningMerge]);
    },
  };
}

export type LayerStack = ReturnType<typeof createLayerStack>;
