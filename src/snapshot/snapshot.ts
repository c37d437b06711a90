import type { Catalog } from "../catalog/catalog.ts";
import { entryKinds } from "../catalog/packed/pack-base.ts";
import { openCatalog } from "../catalog/packed/packed-catalog.ts";
import type { Config } from "../config/settings.ts";
import type { Log } from "../observability/log.ts";
import { learnedProducts } from "../predictive-search/learned-products.ts";
import { schema } from "../predictive-search/schema.ts";
import type { SegmentWithDeletes } from "../search/index/segment.ts";
import { type LearnedChoices, packLearned } from "../search/learned-choices.ts";
import type { SynonymGroup } from "../search/query/synonyms.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { Searcher } from "../search/searcher.ts";
import type { CatalogSource } from "../storage/catalog/catalog-reader.ts";
import { countChangedRows, readCatalogState } from "../storage/catalog/catalog-store.ts";
import { learnedChoices } from "../storage/choice-store.ts";
import type { Database } from "../storage/database.ts";
import { type PopularTerm, popularTerms } from "../storage/search-log-store.ts";
import type { BuiltBase, BuiltDelta } from "./build.ts";
import { createSnapshotBuilder, type OnBuilt } from "./builder.ts";
import type { IndexFolder } from "./index-files.ts";
import { loadBase, watchTexts } from "./load.ts";
import { bytesIn } from "./size.ts";

/** One revision of the catalogue and the index over it. A request keeps the snapshot it began with. */
export interface Snapshot {
  readonly revision: number;
  readonly catalog: Catalog;
  readonly index: SearchIndex;
}

/** The newest snapshot, kept up with the database. */
export interface Snapshots {
  /** Always there, whatever the database does. */
  readonly current: () => Snapshot;
  /** Looks for a change now. @throws what building it met; the old snapshot then stays */
  refresh(): Promise<void>;
  /** How much there is of it. */
  facts(): SnapshotFacts;
  close(): Promise<void>;
}

export interface SnapshotFacts {
  readonly revision: number;
  /** Kind -> entries shoppers can open. */
  readonly entries: Readonly<Record<string, number>>;
  /** Documents in the index, with those that a newer layer replaces. */
  readonly documents: number;
  readonly indexBytes: number;
  readonly catalogBytes: number;
}

export interface SnapshotOptions {
  /** Builders open it themselves. */
  readonly source: CatalogSource;
  readonly database: Database;
  readonly config: Pick<Config, "locales">;
  /** Whether what shoppers chose counts; absent: it does not. */
  readonly learns?: boolean;
  /** Groups of words that mean the same; asked often, and taken over when it gives another list. */
  readonly synonyms: () => readonly SynonymGroup[];
  /** Where whole builds are kept, so that the next start need not build; absent: nowhere. */
  readonly folder?: IndexFolder;
  /** Reads what is kept and keeps nothing itself: for a command, which has ended before it were written. */
  readonly isReader?: boolean;
  readonly log: Pick<Log, "warn">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 128 random bits or more. */
  readonly newId: () => string;
  readonly onBuilt?: OnBuilt;
}

/** How often the revision is asked for. */
const POLL_MS = 200;
/** How often it is read what shoppers searched and chose. */
const SHOPPERS_MS = 60_000;
/** Changes up to here are laid over the base at once; more are faster built anew than laid over. */
const MAX_DELTA_ROWS = 5_000;
/** A server that has run for so long is ready for changes before the first comes. */
const EXPECT_CHANGES_MS = 5_000;
/** From so many changes on the base is built anew aside: each search pays for a layer. */
const REBASE_ROWS = 1_000;

/** Opens the catalogue of a database and follows its changes.
 *  @throws where the first snapshot cannot be built */
export async function openSnapshots(options: SnapshotOptions): Promise<Snapshots> {
  const { database, log, now, folder } = options;
  const builder = createSnapshotBuilder({
    ...options,
    folder: options.isReader === true ? undefined : folder,
    locales: options.config.locales,
    onTrouble: (error) => log.warn({ error }, "the index could not be kept on disk; the next start builds it anew"),
  });
  const isClosed = new AbortController();
  const load = { database, newId: options.newId, maxChangedRows: MAX_DELTA_ROWS };
  const warnOfFile = (message: string): void => log.warn({}, message);
  let base = (folder && (await loadBase({ ...load, folder, warn: warnOfFile }))) ?? (await builder.base(false));
  let closeTexts = watchTexts(base);
  let delta: BuiltDelta | undefined;
  // One for all indexes that follow one another here: what it knows of segments that stay is kept.
  const searcher = new Searcher(schema);
  const { learns = false } = options;
  let shoppers = await readShoppers(database, now(), learns);
  let synonyms = options.synonyms();
  let rebasing: Promise<void> | undefined;
  let rebased: BuiltBase | undefined;
  let isDamaged = false;
  let hasFailed = false;

  const assemble = (): Snapshot => {
    const layers: SegmentWithDeletes[] = [{ segment: base.segment, removed: new Set(delta?.delta.replaced) }];
    if (delta !== undefined) layers.push({ segment: delta.segment, removed: new Set() });
    const shown = base;
    const catalog = openCatalog(shown.base, delta?.delta, () => {
      isDamaged ||= shown === base;
    });
    return {
      revision: catalog.revision,
      catalog,
      index: searcher.open(layers, {
        synonyms,
        popular: shoppers.popular,
        learned: learnedProducts(shoppers.learned, catalog),
      }),
    };
  };
  const replaceBase = async (built: BuiltBase): Promise<void> => {
    await builder.forgetBase();
    base = built;
    delta = undefined;
    isDamaged = false;
    closeTexts = watchTexts(built);
  };
  /** A change too large for a layer: the next revision is shown when all of it is built. */
  const rebuild = async (): Promise<void> => replaceBase(await builder.base(true));
  const rebase = async (): Promise<void> => {
    try {
      const built = await builder.base(true);
      if (built.base.revision > base.base.revision) rebased = built;
    } catch (error) {
      warn(error);
    }
    rebasing = undefined;
  };
  const layOver = async (changedRows: number): Promise<void> => {
    delta = await builder.delta(base.base);
    if (delta === undefined) return rebuild();
    if (changedRows < REBASE_ROWS || rebasing !== undefined) return;
    rebasing = rebase();
  };
  /** @returns whether there are new ones */
  const hearShoppers = async (): Promise<boolean> => {
    if (now() - shoppers.at < SHOPPERS_MS) return false;
    const before = shoppers;
    shoppers = await readShoppers(database, now(), learns);
    if (shoppers.text !== before.text) return true;
    shoppers = { ...before, at: shoppers.at };
    return false;
  };
  const catchUp = async (): Promise<void> => {
    const state = await readCatalogState(database);
    const hasNewTerms = await hearShoppers();
    const hasNewSynonyms = options.synonyms() !== synonyms;
    synonyms = options.synonyms();
    const hasNewWords = hasNewTerms || hasNewSynonyms;
    if (state.revision === snapshot.revision && rebased === undefined && !isDamaged && !hasNewWords) return;
    if (rebased !== undefined && rebased.base.revision > base.base.revision) await replaceBase(rebased);
    rebased = undefined;
    if (isDamaged) await rebuild();
    if (state.revision !== (delta?.delta.revision ?? base.base.revision)) {
      const changedRows = await countChangedRows(database, base.base.revision, MAX_DELTA_ROWS + 1);
      if (state.completeSince > base.base.revision || changedRows > MAX_DELTA_ROWS) await rebuild();
      else await layOver(changedRows);
    }
    snapshot = assemble();
  };
  const warn = (error: unknown): void => {
    if (!hasFailed && !isClosed.signal.aborted)
      log.warn({ error }, "the catalogue could not be read; the old one stays");
    hasFailed = true;
  };

  let snapshot = assemble();
  // A kept catalogue may be behind.
  if (folder !== undefined) await catchUp();
  let queue: Promise<unknown> = Promise.resolve();
  const refresh = (): Promise<void> => {
    const mine = queue.then(catchUp);
    queue = mine.catch(() => undefined);
    return mine;
  };
  let timer: NodeJS.Timeout | undefined;
  const poll = async (): Promise<void> => {
    try {
      await refresh();
      hasFailed = false;
    } catch (error) {
      warn(error);
    }
    if (!isClosed.signal.aborted) timer = setTimeout(poll, POLL_MS).unref();
  };
  timer = setTimeout(poll, POLL_MS).unref();
  const expecting = setTimeout(builder.expectChanges, EXPECT_CHANGES_MS).unref();

  return {
    current: () => snapshot,
    refresh,
    facts: () => factsOf(snapshot, base, delta),
    async close() {
      isClosed.abort();
      clearTimeout(timer);
      clearTimeout(expecting);
      await builder.close();
      await Promise.all([queue, rebasing]);
      closeTexts();
    },
  };
}

interface Shoppers {
  /** When it was read. */
  readonly at: number;
  readonly popular: readonly PopularTerm[];
  readonly learned: LearnedChoices<string>;
  /** Another where something changed. */
  readonly text: string;
}

/** What shoppers searched, and what they chose then where that is learned from. */
async function readShoppers(database: Database, now: number, learns: boolean): Promise<Shoppers> {
  const popular = await popularTerms(database, now);
  const chosen = learns ? await learnedChoices(database, now) : [];
  return { at: now, popular, learned: packLearned(chosen), text: JSON.stringify([popular, chosen]) };
}

function factsOf({ revision, catalog }: Snapshot, base: BuiltBase, delta: BuiltDelta | undefined): SnapshotFacts {
  const segments = delta === undefined ? [base.segment] : [base.segment, delta.segment];
  const leaves = segments.flatMap((segment) => segment.leaves);
  return {
    revision,
    entries: Object.fromEntries(entryKinds.map((kind) => [kind, catalog.numbers(kind).length])),
    documents: leaves.reduce((sum, leaf) => sum + leaf.documents.externalIds.length, 0),
    indexBytes: bytesIn(segments),
    catalogBytes: bytesIn([base.base, delta?.delta]),
  };
}
