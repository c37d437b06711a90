import type { CatalogState } from "../storage/catalog/catalog-store.ts";
import { countChangedRows } from "../storage/catalog/catalog-store.ts";
import type { Database } from "../storage/database.ts";
import type { BuiltBase } from "./build.ts";
import type { SnapshotBuilder } from "./builder.ts";
import type { PlacedDelta } from "./delta-worker.ts";
import {
  firstToMerge,
  layersBelow,
  layersOf,
  maxDeltaRows,
  needsRebuild,
  revisionOf,
  unmergedCount,
} from "./layers.ts";

export interface LayerStackOptions {
  readonly database: Database;
  readonly builder: SnapshotBuilder;
  readonly base: BuiltBase;
  /** Receives each new base. */
  readonly onBase: (base: BuiltBase) => void;
  /** Receives errors of background builds. */
  readonly warn: (error: unknown) => void;
}

/**
 * The current layers, synchronized with the database. Each change immediately becomes a delta. In the background,
 * deltas are merged to limit their number, and the base is rebuilt when the deltas become a large part of it.
 */
export function createLayerStack({ database, builder, base, onBase, warn }: LayerStackOptions) {
  let layers = layersOf(base);
  let isDamaged = false;
  let rebased: BuiltBase | undefined;
  let merged: (PlacedDelta & { readonly base: BuiltBase }) | undefined;
  let rebasing: Promise<void> | undefined;
  let merging: Promise<void> | undefined;

  const replaceBase = async (built: BuiltBase): Promise<void> => {
    await builder.releaseBase();
    layers = layersOf(built);
    isDamaged = false;
    onBase(built);
  };
  const rebuild = async (): Promise<void> => replaceBase(await builder.base(true));
  const rebase = async (): Promise<void> => {
    try {
      rebased = await builder.base(true);
    } catch (error) {
      warn(error);
    }
    rebasing = undefined;
  };
  const merge = async (from: number): Promise<void> => {
    const { base } = layers;
    try {
      const placed = await builder.merge(layersBelow(layers, from));
      if (placed !== undefined) merged = { ...placed, base };
    } catch (error) {
      warn(error);
    }
    merging = undefined;
  };
  const startBackgroundBuilds = (): void => {
    if (rebasing === undefined && rebased === undefined && needsRebuild(layers)) rebasing = rebase();
    const from = firstToMerge(layers.deltas);
    if (merging === undefined && merged === undefined && from !== undefined) merging = merge(from);
  };
  /** Replaces the merged deltas with the result of a merge. Deltas that were built during the merge stay above it. */
  const applyMerged = async ({ built, base }: NonNullable<typeof merged>): Promise<void> => {
    const { since, revision } = built.delta;
    const below = [base.base, ...layers.deltas.map(({ delta }) => delta)].findIndex((one) => one.revision === since);
    // The merge is obsolete if the base was replaced, or if the delta below it was merged.
    if (base !== layers.base || below < 0) return;
    const above = [built, ...layers.deltas.filter(({ delta }) => delta.revision > revision)];
    const deletes = await builder.stack(layersBelow(layers, below), above);
    layers = { base, deltas: [...layers.deltas.slice(0, below), ...above], deletes };
  };
  const addDelta = async ({ completeSince }: CatalogState): Promise<void> => {
    const since = revisionOf(layers);
    const max = maxDeltaRows(layers.base.base.positions.length);
    const changed = await countChangedRows(database, since, max + 1);
    if (since < completeSince || changed > max) return rebuild();
    const count = unmergedCount(layers.deltas, changed);
    const under = layersBelow(layers, count);
    const isComplete = (under.deltas.at(-1) ?? under.base).revision >= completeSince;
    const placed = await builder.delta(isComplete ? under : layersBelow(layers, layers.deltas.length));
    if (placed === undefined) return rebuild();
    const { built, deletes } = placed;
    layers = { ...layers, deltas: [...layers.deltas.slice(0, deletes.length - 2), built], deletes };
  };

  return {
    current: () => layers,
    /** Returns whether the result of a background build waits to be applied. */
    hasPendingBuild: () => rebased !== undefined || merged !== undefined || isDamaged,
    /**
     * Applies background builds and adds changes. Calls must not overlap. @throws errors of the build; the layers then
     * stay unchanged
     */
    async catchUp(state: CatalogState) {
      const [newBase, newDelta] = [rebased, merged];
      [rebased, merged] = [undefined, undefined];
      if (newBase !== undefined && newBase.base.revision > layers.base.base.revision) await replaceBase(newBase);
      if (isDamaged) await rebuild();
      if (newDelta !== undefined) await applyMerged(newDelta);
      if (state.revision !== revisionOf(layers)) await addDelta(state);
      startBackgroundBuilds();
    },
    /** Schedules a full build for the next `catchUp`, because a row of the base is damaged. */
    markDamaged(damaged: BuiltBase) {
      isDamaged ||= damaged === layers.base;
    },
    /** Waits for builds in flight. */
    async close() {
      await Promise.all([rebasing, merging]);
    },
  };
}
