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
  readonly onNewBaseLayer: (newBaseLayer: BaseLayer) => void;
  /** Receives errors of background builds. */
  readonly warn: (error: unknown) => void;
}

/**
 * The current layers of the index, synchronized with the database. The base is a full build. Each change immediately
 * becomes a delta. In the background, deltas are merged to limit their number, and the base is rebuilt when the deltas
 * become large in comparison.
 */
export function createLayerStack({
  database,
  builder,
  initialLayers,
  onNewBaseLayer: onBaseLayerBuilt,
  warn,
}: LayerStackOptions) {
  let layers = initialLayers;
  let isDamaged = false;
  let pendingLayer: BaseLayer | undefined;
  let mergeResult: (DeltaBuildResult & { readonly base: BaseLayer }) | undefined;
  let rebuildPromise: Promise<void> | undefined;
  let runningMerge: Promise<void> | undefined;

  const replaceLayers = async (newLayers: CatalogLayers): Promise<void> => {
    const hasNewBaseLayer = newLayers.base !== layers.base;
    if (hasNewBaseLayer) await builder.releaseBaseLayer();
    layers = newLayers;
    if (!hasNewBaseLayer) return;
    isDamaged = false;
    onBaseLayerBuilt(newLayers.base);
  };
  const replaceBaseLayer = (baseLayer: BaseLayer): Promise<void> => replaceLayers(createCatalogLayers(baseLayer));
  const rebuild = async (): Promise<void> => replaceBaseLayer(await builder.base(true));
  const rebuildBaseLayer = async (): Promise<void> => {
    try {
      pendingLayer = await builder.base(true);
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
    if (rebuildPromise === undefined && pendingLayer === undefined && needsRebuild(layers))
      rebuildPromise = rebuildBaseLayer();
    const firstIndex = findMergeStart(layers.deltas);
    if (runningMerge === undefined && mergeResult === undefined && firstIndex !== undefined)
      runningMerge = mergeDeltas(firstIndex);
  };
  /** Replaces the merged deltas with the result of a merge. Deltas that were built during the merge are kept. */
  const applyMerge = async ({ createdLayer: baseLayer, base }: NonNullable<typeof mergeResult>): Promise<void> => {
    const { sinceRevision, revision } = baseLayer.delta;
    const baseLayerIndex = [base.base, ...layers.deltas.map(({ delta }) => delta)].findIndex(
      (layer) => layer.revision === sinceRevision,
    );
    // The result is obsolete if the base was replaced, or if the delta below the merged deltas was itself merged.
    if (base !== layers.base || baseLayerIndex < 0) return;
    const addedLayers = [baseLayer, ...layers.deltas.filter(({ delta }) => delta.revision > revision)];
    const deletes = await builder.computeDeletes(selectOldestLayers(layers, baseLayerIndex), addedLayers);
    layers = { base, deltas: [...layers.deltas.slice(0, baseLayerIndex), ...addedLayers], deletes };
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
    const { createdLayer: baseLayer, deletes } = buildResult;
    layers = { ...layers, deltas: [...layers.deltas.slice(0, deletes.length - 2), baseLayer], deletes };
  };

  return {
    current: () => layers,
    /**
     * Returns whether `catchUp` has work even if the database is unchanged: a completed background build, or a full
     * build that replaces damaged data.
     */
    hasPendingBuild: () => pendingLayer !== undefined || mergeResult !== undefined || isDamaged,
    /**
     * Applies background builds and adds changes. Calls must not overlap. @throws errors of the build; the layers then
     * stay unchanged
     */
    async catchUp(state: CatalogState) {
      const [finishedBaseLayer, mergedDeltas] = [pendingLayer, mergeResult];
      [pendingLayer, mergeResult] = [undefined, undefined];
      if (finishedBaseLayer !== undefined && finishedBaseLayer.base.revision > layers.base.base.revision)
        await replaceBaseLayer(finishedBaseLayer);
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
