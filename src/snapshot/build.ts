import type { Segment } from "@vitrine/search";
import { createSegmentBuilder } from "@vitrine/search";
import type { Entry } from "../catalog/catalog.ts";
import type { FacetSettings } from "../catalog/facets/pack-facets.ts";
import { packBase } from "../catalog/packed/pack-base.ts";
import { packDelta } from "../catalog/packed/pack-delta.ts";
import type { PackedBase, PackedDelta } from "../catalog/packed/packed-catalog.ts";
import type { TextFile } from "../catalog/packed/texts.ts";
import { searchDocuments } from "../predictive-search/documents.ts";
import { schema } from "../predictive-search/schema.ts";
import type { CatalogReader } from "../storage/catalog/catalog-reader.ts";

/** The shop's languages, and what else of its settings an index depends on. */
export interface Locales {
  readonly default: string;
  readonly others: readonly string[];
  /** "namespace.key" of metafields that products are filtered by; absent: none. */
  readonly filterMetafields?: readonly string[];
}

/** The settings that an index depends on. */
export interface IndexedSettings {
  readonly locales: Pick<Locales, "default" | "others">;
  readonly search?: { readonly filterMetafields: readonly string[] };
  /** Whether a shop without collections gets some; absent: it does not. */
  readonly derivedCollections?: boolean;
}

export function indexedLocales({ locales, search }: IndexedSettings): Locales {
  return { ...locales, filterMetafields: search?.filterMetafields ?? [] };
}

/** A whole catalogue with its index: plain data, most of it in shared memory. */
export interface BuiltBase {
  readonly base: PackedBase;
  readonly segment: Segment;
}

/** What changed since a base, or since a delta over it, with an index of it. */
export interface BuiltDelta {
  readonly delta: PackedDelta;
  readonly segment: Segment;
}

/** Takes seconds for a hundred thousand products: for a thread of its own.
 *  @param size of all rows, as the reader tells it  @param file where texts of rows go; absent: into memory
 *  @throws what the file's disk says */
export function buildBase(
  reader: CatalogReader,
  locales: Locales,
  size: ReturnType<CatalogReader["size"]>,
  file?: TextFile,
): BuiltBase {
  const builder = createSegmentBuilder(schema, locales.default);
  const catalog = { revision: reader.state.revision, size, rows: reader.rows };
  const onEntry: Parameters<typeof packBase>[1] = (entry, number) => {
    for (const document of searchDocuments(withStock(entry, reader), number, locales)) builder.add(document);
  };
  const base = packBase(catalog, onEntry, facetSettings(locales), file);
  return { base, segment: builder.finish() };
}

/** @param below deltas over the base that it is laid over, the oldest first
 *  @returns undefined where the rows no longer tell what changed since  @throws TextDamaged */
export function buildDelta(
  reader: CatalogReader,
  base: PackedBase,
  below: readonly PackedDelta[],
  locales: Locales,
): BuiltDelta | undefined {
  const since = below.at(-1)?.revision ?? base.revision;
  if (since < reader.state.completeSince) return undefined;
  const builder = createSegmentBuilder(schema, locales.default);
  const changed = reader.changedSince(since);
  const changes = { since, revision: reader.state.revision, size: changed.size(), rows: changed.rows };
  const onEntry: Parameters<typeof packDelta>[3] = (entry, number) => {
    for (const document of searchDocuments(withStock(entry, reader), number, locales)) builder.add(document);
  };
  const delta = packDelta(base, below, changes, onEntry, facetSettings(locales));
  return { delta, segment: builder.finish() };
}

function facetSettings(locales: Locales): FacetSettings {
  return { locales: [locales.default, ...locales.others], metafields: locales.filterMetafields ?? [] };
}

/** The entry with what is left of it when the index is built, by which it ranks among what is in stock or not. */
function withStock(entry: Entry, reader: Pick<CatalogReader, "left">): Entry {
  if (entry.kind !== "product") return entry;
  const variants = entry.variants.map((variant) => {
    const left = variant.inventoryQuantity === undefined ? undefined : reader.left(variant.id);
    return left === undefined ? variant : { ...variant, inventoryQuantity: left };
  });
  return variants.every((variant, index) => variant === entry.variants[index]) ? entry : { ...entry, variants };
}
