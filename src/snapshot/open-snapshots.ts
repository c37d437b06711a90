import { type FeedOptions, openFeed, type SnapshotFeed } from "./feed.ts";
import { createAssembler, type Snapshot } from "./snapshot.ts";

/** The current snapshot, synchronized with the database. */
export interface Snapshots extends Pick<SnapshotFeed, "refresh" | "getFacts" | "close"> {
  /** Returns the current snapshot, even if the database is unavailable. */
  readonly currentSnapshot: () => Snapshot;
}

/**
 * Opens the catalog of a database and watches it for changes. For use in one thread.
 * @throws if the first snapshot cannot be built
 */
export async function openSnapshots(options: FeedOptions): Promise<Snapshots> {
  const assembleSnapshot = createAssembler((baseLayer) => snapshotFeed.markDamaged(baseLayer), options.config);
  const snapshotFeed = await openFeed(options, (parts) => {
    snapshot = assembleSnapshot(parts);
  });
  let snapshot = assembleSnapshot(snapshotFeed.getSnapshotParts());
  return {
    currentSnapshot: () => snapshot,
    refresh: snapshotFeed.refresh,
    getFacts: snapshotFeed.getFacts,
    close: snapshotFeed.close,
  };
}
