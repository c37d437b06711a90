import { setTimeout } from "node:timers/promises";
import type { Log } from "../../observability/log.ts";
import { poll } from "../../runtime/poll.ts";
import {
  createIndexBuilderLease,
  readSharedIndexState,
  type SharedIndexState,
  UNSHARED_REVISION,
} from "../../storage/catalog/index-builders.ts";
import type { LayerStack } from "../layer-stack.ts";
import { type CatalogLayers, revisionOf } from "../layers.ts";
import { getIndexId } from "./index-manifest.ts";
import { createFilePurger } from "./purge-files.ts";
import { createSharedLayers, type SharedLayersOptions } from "./shared-layers.ts";

export interface SharedIndexOptions extends SharedLayersOptions {
  readonly log: Pick<Log, "warn" | "recurring">;
  /** Returns a random id of at least 128 bits. */
  readonly newId: () => string;
}

const RENEWAL_INTERVAL_MS = 10_000;
/** Milliseconds to wait after an error of the shared storage or of a build. */
const RETRY_DELAY_MS = 10_000;
/** Milliseconds between two checks whether the first builder has shared its index. */
const START_POLL_INTERVAL_MS = 200;
const PURGE_INTERVAL_MS = 3_600_000;
/** Milliseconds for which the layers before a full build stay in memory, so that a rollback need not read them. */
const PREVIOUS_LAYERS_LIFETIME_MS = 10 * 60_000;
const FAILURE_MESSAGE = "using the shared index failed; this server builds its own index";
const ROLLBACK_FAILURE_MESSAGE = "reading the index for the rollback failed; this server shows the current catalog";

/**
 * Connects the layers of the index with a storage that all servers reach. One server, the holder of a lease, builds
 * each revision and writes it to the storage. The others read it from there. If the storage is unavailable to the
 * builder or to this server, this server builds its own layers.
 */
export function openSharedIndex(options: SharedIndexOptions) {
  const { store, folder, database, log, newId } = options;
  const indexId = getIndexId(folder);
  const purger = createFilePurger(store, indexId);
  const sharedLayers = createSharedLayers({ ...options, store: purger.store });
  const lease = createIndexBuilderLease(database, indexId, newId());
  const renewalJob = poll({ name: "renewing the lease of the index", intervalMs: RENEWAL_INTERVAL_MS, log }, () =>
    lease.renew(),
  );
  /** Revision of the shared layers that this server uses. Undefined if it uses its own layers. */
  let currentRevision: number | undefined;
  let rollback: { readonly revision: number; readonly layers: CatalogLayers | undefined } | undefined;
  /** The layers before the last full build. */
  let previous: { readonly layers: CatalogLayers; readonly expiresAt: number } | undefined;
  let nextRollbackRetryTime = Number.NEGATIVE_INFINITY;
  let nextRetryTime = Number.NEGATIVE_INFINITY;
  let nextPurgeTime = Number.NEGATIVE_INFINITY;
  let takeAt = Number.NEGATIVE_INFINITY;
  let saveJob: Promise<void> | undefined;
  let purgeJob: Promise<void> | undefined;
  let isClosed = false;

  const canRetry = (): boolean => performance.now() >= nextRetryTime;
  const reportFailure = (error: unknown): void => {
    nextRetryTime = performance.now() + RETRY_DELAY_MS;
    log.recurring({ error }, FAILURE_MESSAGE);
  };
  /** Reads the layers of a revision.  @returns undefined after an error, which is logged */
  const load = async (
    revision: number,
    layersInMemory: readonly CatalogLayers[],
  ): Promise<CatalogLayers | undefined> => {
    try {
      return await sharedLayers.load(revision, layersInMemory);
    } catch (error) {
      reportFailure(error);
      return undefined;
    }
  };
  /** Returns whether the storage has layers that this server should use.  @param revision revision of this server */
  const hasNewerLayers = (state: SharedIndexState, revision: number): boolean =>
    state.sharedRevision > 0 &&
    state.sharedRevision !== currentRevision &&
    // Revisions become lower if the database is replaced by a backup.
    (state.sharedRevision >= revision || revision > state.revision);
  const updateRollback = async ({ rollbackRevision }: SharedIndexState, stack: LayerStack): Promise<void> => {
    if (rollbackRevision === undefined) {
      if (rollback !== undefined) log.warn({}, "the rollback of the catalog has ended");
      rollback = undefined;
      return;
    }
    const canLoad = performance.now() >= nextRollbackRetryTime;
    if (rollback?.revision === rollbackRevision && (rollback.layers !== undefined || !canLoad)) return;
    const layersInMemory = [stack.current(), previous?.layers, rollback?.layers].filter(
      (layers) => layers !== undefined,
    );
    rollback = { revision: rollbackRevision, layers: undefined };
    try {
      rollback = { revision: rollbackRevision, layers: await sharedLayers.load(rollbackRevision, layersInMemory) };
      log.warn({}, `a rollback shows revision ${rollbackRevision} of the catalog`);
    } catch (error) {
      // The shared index of the current revision may be available, so its own retry time does not change.
      nextRollbackRetryTime = performance.now() + RETRY_DELAY_MS;
      log.recurring({ error }, ROLLBACK_FAILURE_MESSAGE);
    }
  };
  const build = async (stack: LayerStack, state: SharedIndexState): Promise<void> => {
    try {
      await stack.catchUp(state);
    } catch (error) {
      // Another server may be able to build.
      await lease.release().catch(() => undefined);
      takeAt = performance.now() + RETRY_DELAY_MS;
      throw error;
    }
  };
  const purge = async (): Promise<void> => {
    const rollbackRevision = rollback?.revision;
    // A rollback that starts during a purge may need files that the purge would remove.
    const canContinue = (): boolean => !isClosed && lease.isHeld() && rollback?.revision === rollbackRevision;
    nextPurgeTime = performance.now() + PURGE_INTERVAL_MS;
    try {
      await purger.purge(rollbackRevision, canContinue);
    } catch (error) {
      log.recurring({ error }, "removing old files of the shared index failed");
    }
  };
  const save = async (layers: CatalogLayers): Promise<void> => {
    const revision = revisionOf(layers);
    try {
      const isShared = await sharedLayers.save(layers);
      await lease.saveRevision(revision);
      // Otherwise the next update reads the layers that another server has shared.
      if (isShared) currentRevision = revision;
    } catch (error) {
      reportFailure(error);
      await lease.saveRevision(UNSHARED_REVISION).catch(() => undefined);
      return;
    }
    // The next save does not wait for the purge, which may take minutes.
    if (performance.now() >= nextPurgeTime)
      purgeJob ??= purge().finally(() => {
        purgeJob = undefined;
      });
  };

  return {
    /**
     * Reads the shared layers at the start of a server. Waits while another server builds the first ones.
     * @param loadSavedLayers reads the index that this server saved itself
     * @returns undefined if this server must build its own layers
     */
    async start(loadSavedLayers: () => Promise<CatalogLayers | undefined>): Promise<CatalogLayers | undefined> {
      for (;;) {
        const state = await readSharedIndexState(database, indexId);
        if (state.sharedRevision > 0 && canRetry()) {
          const layers = await load(state.sharedRevision, []);
          if (layers !== undefined) {
            currentRevision = state.sharedRevision;
            return layers;
          }
        }
        const savedLayers = await loadSavedLayers();
        if (savedLayers !== undefined || state.sharedRevision !== 0) return savedLayers;
        if (!state.hasBuilder && (await lease.acquire())) return undefined;
        await setTimeout(START_POLL_INTERVAL_MS);
      }
    },
    /** Brings the layers up to date: reads the shared ones, or builds them. Calls must not overlap. */
    async update(stack: LayerStack): Promise<void> {
      const state = await readSharedIndexState(database, indexId);
      const layersBefore = stack.current();
      await updateRollback(state, stack);
      // The memory may be needed for another full build.
      if (state.revision !== revisionOf(layersBefore) || performance.now() > (previous?.expiresAt ?? 0))
        previous = undefined;
      if (hasNewerLayers(state, revisionOf(stack.current())) && saveJob === undefined && canRetry()) {
        const layers = await load(state.sharedRevision, [stack.current()]);
        if (layers !== undefined) {
          await stack.replaceLayers(layers);
          currentRevision = state.sharedRevision;
        }
      }
      if (!state.hasBuilder && performance.now() >= takeAt) await lease.acquire();
      const isCurrent = state.revision === revisionOf(stack.current()) && !stack.isDamaged();
      // If the storage is unavailable to the builder or to this server, do not wait for the builder.
      const isAlone = state.sharedRevision === UNSHARED_REVISION || !canRetry();
      const shouldBuildLayers = lease.isHeld() || isAlone || stack.isDamaged();
      if (!isCurrent && shouldBuildLayers) await build(stack, state);
      const layers = stack.current();
      if (layers.base !== layersBefore.base)
        previous = { layers: layersBefore, expiresAt: performance.now() + PREVIOUS_LAYERS_LIFETIME_MS };
      const mustSave = lease.isHeld() && currentRevision !== revisionOf(layers) && canRetry();
      if (mustSave && saveJob === undefined)
        saveJob = save(layers).finally(() => {
          saveJob = undefined;
        });
    },
    /** Returns the layers that a rollback shows; undefined without a rollback. */
    rollbackLayers: (): CatalogLayers | undefined => rollback?.layers,
    async close() {
      isClosed = true;
      await renewalJob.close();
      await saveJob;
      await purgeJob;
      await lease.release().catch(() => undefined);
    },
  };
}
