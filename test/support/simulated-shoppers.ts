import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SearchIndex } from "@vitrine/search";
import { createSearcher, createSegmentBuilder } from "@vitrine/search";
import { createRandom, type Random } from "../../bench/random.ts";
import { schema } from "../../src/predictive-search/schema.ts";
import { packClicks } from "../../src/signals/click-boosts.ts";
import { computeInversePropensity } from "../../src/signals/click-weight.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { createSignalCounter } from "../../src/storage/signals/count-signals.ts";
import { readTotals } from "../../src/storage/signals/read-totals.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite.ts";

export interface SimulationOptions {
  readonly seed: number;
  /** Whether clicks are weighted by position. Default: all clicks are equal. */
  readonly correctsPosition: boolean;
  /** Maximum words of a title in addition to the query. With 0, all titles match equally well. */
  readonly moreWords: number;
}

/**
 * A shop with one query that matches thirty products equally. Shoppers prefer some of them, and examine the first
 * positions most.
 */
export interface Simulation {
  /** Returns product ids, the best first. */
  shown(): readonly string[];
  /** The product with the lowest preference. */
  readonly leastLiked: string;
  /** Returns nDCG@10 of the displayed order, from 0 to 1, by the preferences of shoppers. */
  ndcg(): number;
  /** Simulates this number of shoppers on one day, each in one of 5,000 networks. */
  shop(shoppers: number): Promise<void>;
  /**
   * Simulates a bot that opens a product and adds it to the cart a number of times, from separate networks in rotation.
   */
  push(product: string, times: number, networks: number): Promise<void>;
  /** Ends the day, so that its clicks count. */
  endDay(): Promise<void>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;
const QUERY = "storm lamp";
const PRODUCTS = 30;
const NETWORKS = 5_000;
/**
 * Returns the share of shoppers who examine a position. It decreases faster than `computeInversePropensity`
 * compensates.
 */
const examined = (place: number): number => place ** -0.8;
/** Share of shoppers who open any examined product. */
const NOISE = 0.03;
/** Share of shoppers who add a product that they like and opened. */
const ADDED = 0.3;

export async function simulate({ seed, correctsPosition, moreWords }: SimulationOptions): Promise<Simulation> {
  const random = createRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), "vitrine-simulation-"));
  const database = await openSqlite(join(folder, "vitrine.db"));
  await migrate(database);
  let salts = 0;
  const counter = createSignalCounter(database, {
    newSalt() {
      salts += 1;
      return `salt ${salts}`;
    },
    digest: (text) => createHmac("sha256", "key").update(text).digest("base64url"),
    newRows: { take: () => true, refund: () => undefined },
  });
  const liking = likings(random);
  const searcher = createSearcher(schema);
  const segments = [segmentOf(random, moreWords)];
  let now = Date.UTC(2026, 5, 1);
  let waiting = 0;
  let shown: readonly number[] = [];
  const reopen = async (): Promise<void> => {
    const { clicks } = await readTotals(database, now, { clicks: true, sales: false });
    const clickBoosts = packClicks(clicks);
    const forQuery = (text: string, locale: string) =>
      clickBoosts.find(text, locale).map(({ id, points }) => ({ externalId: Number(id), points, reason: "clicks" }));
    shown = find(searcher.open(segments, { boosts: { forQuery } }));
  };
  const choose = async (place: number, step: "clicked" | "added", network: string): Promise<void> => {
    const byPlace = correctsPosition ? computeInversePropensity(place) : 1;
    const weight = byPlace * (step === "added" ? 3 : 1);
    const product = String(shown[place - 1]);
    counter.record({ kind: "chosen", term: QUERY, locale: "en", product, action: step, weight }, network, now);
    waiting += 1;
    if (waiting % 1_000 === 0) await counter.flush();
  };
  await reopen();
  return {
    shown: () => shown.map(String),
    leastLiked: String(liking.indexOf(Math.min(...liking))),
    ndcg: () => dcg(shown.map((id) => liking[id] as number)) / dcg(liking.toSorted((one, other) => other - one)),
    async shop(shoppers) {
      for (let n = 0; n < shoppers; n += 1) {
        const network = `network ${random.below(NETWORKS)}`;
        for (let place = 1; place <= shown.length; place += 1) {
          const likes = liking[shown[place - 1] as number] as number;
          if (!chance(random, examined(place))) continue;
          const isLiked = chance(random, likes);
          if (isLiked || chance(random, NOISE)) await choose(place, "clicked", network);
          if (isLiked && chance(random, ADDED)) await choose(place, "added", network);
        }
      }
      await counter.flush();
    },
    async push(product, times, networks) {
      for (let n = 0; n < times; n += 1)
        for (const step of ["clicked", "added"] as const)
          await choose(shown.indexOf(Number(product)) + 1, step, `bot ${n % networks}`);
      await counter.flush();
    },
    async endDay() {
      now += DAY_MS;
      await reopen();
    },
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns, by product, the probability that a shopper opens it after examining it. Few products have a high one. */
function likings(random: Random): readonly number[] {
  const falling = Array.from({ length: PRODUCTS }, (_, rank) => 0.6 / (1 + rank));
  return random.sample(falling, PRODUCTS);
}

function segmentOf(random: Random, moreWords: number) {
  const builder = createSegmentBuilder(schema, "en");
  const more = "brass steel large small black green classic garden".split(" ");
  for (let externalId = 0; externalId < PRODUCTS; externalId += 1) {
    const title = [QUERY, ...random.sample(more, random.below(moreWords + 1))].join(" ");
    const one = { type: 0, available: true, popularity: 0, locale: "en" };
    builder.add({ ...one, externalId, fields: [[0, title]] });
  }
  return builder.finish();
}

function find(index: SearchIndex): readonly number[] {
  const limits = new Map([[0, PRODUCTS]]);
  const found = index.search({ text: QUERY, locale: "en", limits, typos: true, unavailable: "last" });
  return (found.get(0) ?? []).map(({ externalId }) => externalId);
}

function dcg(gains: readonly number[]): number {
  return gains.slice(0, 10).reduce((sum, gain, at) => sum + gain / Math.log2(2 + at), 0);
}

function chance(random: Random, probability: number): boolean {
  return random.below(1_000_000) < probability * 1_000_000;
}
