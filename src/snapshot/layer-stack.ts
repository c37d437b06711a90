import type { CatalogState } from "../storage/catalog/catalog-store.ts";
import { countChangedRows } from "../storage/catalog/catalog-store.ts";
import type { Database } from "../storage/database.ts";
import type { BuiltBase } from "./build.ts";
import type { SnapshotBuilder } from "./builder.ts";
import type { PositionedDelta } from "./delta-worker.ts";
import {
  computeMaxDeltaRows,
  countUnmergedDeltas,
  findFirstToMerge,
  layersOf,
  needsRebuild,
  revisionOf,
  selectLowerLayers,
} from "./layers.ts";

export interface LayerStackOptions {
  readonly database: Database;
  readonly builder: SnapshotBuilder;
  readonly base: BuiltBase;
  /** Receives each new full build of the catalog. */
  readonly onBase: (base: BuiltBase) => void;
  /** Receives errors of background builds. */
  readonly warn: (error: unknown) => void;
}

/**
 * The current layers of the index, synchronized with the database. The base is a full build. Each change immediately
 * becomes a delta. In the background, deltas are merged to limit their number, and the base is rebuilt when the deltas
 * become large in comparison.
 */
export function createLayerStack({ database, builder, base, onBase, warn }: LayerStackOptions) {
  let layers = layersOf(base);
  let isDamaged = false;
  let rebuiltBase: BuiltBase | undefined;
  let mergedDelta: (PositionedDelta & { readonly base: BuiltBase }) | undefined;
  let rebuildInProgress: Promise<void> | undefined;
  let mergeInProgress: Promise<void> | undefined;

  const replaceBase = async (builtBase: BuiltBase): Promise<void> => {
    await builder.releaseBase();
    layers = layersOf(builtBase);
    isDamaged = false;
    onBase(builtBase);
  };
  const rebuild = async (): Promise<void> => replaceBase(await builder.base(true));
  const rebase = async (): Promise<void> => {
    try {
      rebuiltBase = await builder.base(true);
    } catch (error) {
      warn(error);
    }
    rebuildInProgress = undefined;
  };
  const merge = async (firstIndex: number): Promise<void> => {
    const { base } = layers;
    try {
      const positionedDelta = await builder.merge(selectLowerLayers(layers, firstIndex));
      if (positionedDelta !== undefined) mergedDelta = { ...positionedDelta, base };
    } catch (error) {
      warn(error);
    }
    mergeInProgress = undefined;
  };
  const startBackgroundBuilds = (): void => {
    if (rebuildInProgress === undefined && rebuiltBase === undefined && needsRebuild(layers))
      rebuildInProgress = rebase();
    const firstIndex = findFirstToMerge(layers.deltas);
    if (mergeInProgress === undefined && mergedDelta === undefined && firstIndex !== undefined)
      mergeInProgress = merge(firstIndex);
  };
  /** Replaces the merged deltas with the result of a merge. Deltas that were built during the merge are kept. */
  const applyMerge = async ({ builtDelta: builtBase, base }: NonNullable<typeof mergedDelta>): Promise<void> => {
    const { since, revision } = builtBase.delta;
    const baseIndex = [base.base, ...layers.deltas.map(({ delta }) => delta)].findIndex(
      (layer) => layer.revision === since,
    );
    // The result is obsolete if the base was replaced, or if the delta below the merged deltas was itself merged.
    if (base !== layers.base || baseIndex < 0) return;
    const addedDeltas = [builtBase, ...layers.deltas.filter(({ delta }) => delta.revision > revision)];
    const deletes = await builder.computeDeletes(selectLowerLayers(layers, baseIndex), addedDeltas);
    layers = { base, deltas: [...layers.deltas.slice(0, baseIndex), ...addedDeltas], deletes };
  };
  const addDelta = async ({ completeSince }: CatalogState): Promise<void> => {
    const since = revisionOf(layers);
    const maxRows = computeMaxDeltaRows(layers.base.base.positions.length);
    const changedRowCount = await countChangedRows(database, since, maxRows + 1);
    if (since < completeSince || changedRowCount > maxRows) return rebuild();
    const count = countUnmergedDeltas(layers.deltas, changedRowCount);
    const lowerLayers = selectLowerLayers(layers, count);
    const isComplete = (lowerLayers.deltas.at(-1) ?? lowerLayers.base).revision >= completeSince;
    const positionedDelta = await builder.delta(
      isComplete ? lowerLayers : selectLowerLayers(layers, layers.deltas.length),
    );
    if (positionedDelta === undefined) return rebuild();
    const { builtDelta: builtBase, deletes } = positionedDelta;
    layers = { ...layers, deltas: [...layers.deltas.slice(0, deletes.length - 2), builtBase], deletes };
  };

  return {
    current: () => layers,
    /**
     * Returns whether a build that ran in the background is complete but not applied yet, or a full build is due
     * because of damage.
     */
    hasPendingBuild: () => rebuiltBase !== undefined || mergedDelta !== undefined || isDamaged,
    /**
     * Applies background builds and adds changes. Calls must not overlap. @throws errors of the build; the layers then
     * stay unchanged
     */
    async catchUp(state: CatalogState) {
      const [newBase, newDelta] = [rebuiltBase, mergedDelta];
      [rebuiltBase, mergedDelta] = [undefined, undefined];
      if (newBase !== undefined && newBase.base.revision > layers.base.base.revision) await replaceBase(newBase);
      if (isDamaged) await rebuild();
      if (newDelta !== undefined) await applyMerge(newDelta);
      if (state.revision !== revisionOf(layers)) await addDelta(state);
      startBackgroundBuilds();
    },
    /** Schedules a full build for the next `catchUp`, because a row of the base is damaged. */
    markDamaged(damagedBase: BuiltBase) {
      isDamaged ||= damagedBase === layers.base;
    },
    /** Waits for builds in flight. */
    async close() {
      await Promise.all([rebuildInProgress, mergeInProgress]);
    },
  };
}
