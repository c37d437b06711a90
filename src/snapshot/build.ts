import type { Segment } from "@vitrine/search";
import { createSegmentBuilder } from "@vitrine/search";
import type { Entry } from "../catalog/catalog.ts";
import type { FacetSettings } from "../catalog/facets/pack-facets.ts";
import { applyStockLevels } from "../catalog/live/live-stock.ts";
import { packCatalog } from "../catalog/packed/pack-base.ts";
import { packChangeSet } from "../catalog/packed/pack-delta.ts";
import type { PackedBase, PackedDelta } from "../catalog/packed/packed-catalog.ts";
import type { TextFile } from "../catalog/packed/texts.ts";
import { listDocuments } from "../predictive-search/documents.ts";
import { createGroupHasher } from "../predictive-search/product-group.ts";
import { schema } from "../predictive-search/schema.ts";
import type { CatalogReader } from "../storage/catalog/catalog-reader.ts";

/** Languages of the shop, and other settings on which an index depends. */
export interface Locales {
  readonly default: string;
  readonly others: readonly string[];
  /** Metafields that serve as filters, as "namespace.key". Default: none. */
  readonly filterMetafields?: readonly string[];
  /** Whether similar products are grouped, so that searches can collapse them. Default: false. */
  readonly collapse?: boolean;
}

/** Settings on which an index depends. */
export interface IndexedSettings {
  readonly locales: Pick<Locales, "default" | "others">;
  readonly search?: { readonly filterMetafields: readonly string[]; readonly collapse?: boolean };
  /** Whether a shop without collections gets collections that are derived from its products. Default: false. */
  readonly derivedCollections?: boolean;
}

export function getIndexedLocales({ locales, search }: IndexedSettings): Locales {
  return { ...locales, filterMetafields: search?.filterMetafields ?? [], collapse: search?.collapse ?? false };
}

/** A full catalog with its index. It is plain data, most of it in shared memory. */
export interface BaseLayer {
  readonly base: PackedBase;
  readonly segment: Segment;
}

/** All changes since a full build or an earlier delta, with their index. */
export interface DeltaLayer {
  readonly delta: PackedDelta;
  readonly segment: Segment;
}

/**
 * Builds a full catalog. Takes seconds for a hundred thousand products, so call it in a separate thread.
 * @param size number of rows, and bytes of their JSON, from the catalog reader
 * @param file destination of the rows' strings. Default: memory
 * @throws errors of writing to the file
 */
export function buildBaseLayer(
  reader: CatalogReader,
  locales: Locales,
  size: ReturnType<CatalogReader["size"]>,
  file?: TextFile,
): BaseLayer {
  const builder = createSegmentBuilder(schema, locales.default);
  const catalog = { revision: reader.state.revision, size, rows: reader.rows };
  const onEntry: Parameters<typeof packCatalog>[1] = (entry, number) => {
    for (const document of listDocuments(addStock(entry, reader), number, locales)) builder.add(document);
  };
  const packedBase = packCatalog(catalog, onEntry, getFacetSettings(locales), file);
  return { base: packedBase, segment: builder.finish() };
}

/**
 * Builds a delta, which contains the changes since a full build or an earlier delta.
 * @param olderDeltas deltas between the base and the new delta, oldest first
 * @returns undefined if the database no longer has all changes since then
 * @throws TextDamagedError
 */
export function buildDeltaLayer(
  reader: CatalogReader,
  packedBase: PackedBase,
  olderDeltas: readonly PackedDelta[],
  locales: Locales,
): DeltaLayer | undefined {
  const lastRevision = olderDeltas.at(-1)?.revision ?? packedBase.revision;
  if (lastRevision < reader.state.oldestKeptRevision) return undefined;
  const builder = createSegmentBuilder(schema, locales.default);
  const changedRows = reader.readChangesSince(lastRevision);
  const changes = {
    since: lastRevision,
    revision: reader.state.revision,
    size: changedRows.size(),
    rows: changedRows.rows,
  };
  const onEntry: Parameters<typeof packChangeSet>[3] = (entry, number) => {
    for (const document of listDocuments(addStock(entry, reader), number, locales)) builder.add(document);
  };
  const packedDelta = packChangeSet(packedBase, olderDeltas, changes, onEntry, getFacetSettings(locales));
  return { delta: packedDelta, segment: builder.finish() };
}

function getFacetSettings(locales: Locales): FacetSettings {
  return {
    locales: [locales.default, ...locales.others],
    metafields: locales.filterMetafields ?? [],
    ...(locales.collapse === true ? { groupKeyOf: createGroupHasher() } : {}),
  };
}

/** Returns the entry with its current stock, because available products rank before sold-out products. */
function addStock(entry: Entry, reader: Pick<CatalogReader, "remainingStock">): Entry {
  return entry.kind === "product" ? applyStockLevels(entry, reader.remainingStock) : entry;
}
