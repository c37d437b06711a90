import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObject,
  Registry,
} from "prom-client";
import { limitTable } from "../runtime/limits.ts";
import { type CatalogMetrics, catalogMetrics } from "./catalog-metrics.ts";
import { type EventMetrics, eventMetrics } from "./event-metrics.ts";
import { createRequestTally } from "./request-tally.ts";
import { runtimeMetrics } from "./runtime-metrics.ts";

/**
 * Metrics for a monitoring system. Labels are constants of the code: a route's pattern, a status, an outcome; never a
 * path, id, search term or IP address, so that their number is limited and they contain nothing personal. Times are
 * milliseconds.
 */
export interface Metrics extends ThreadMetrics, CatalogMetrics, EventMetrics {
  /**
   * All metrics in Prometheus text format.
   * @param others metrics of other threads of the process
   * @see https://prometheus.io/docs/instrumenting/exposition_formats/
   */
  text(others?: readonly CollectedMetrics[]): Promise<string>;
}

/** Metrics of each thread. Counts are added up; for event loop delays the worst is reported. */
export interface ThreadMetrics extends HttpMetrics, DatabaseMetrics {
  /** @param read called at each scrape */
  watchConnections(read: () => Connections): void;
  /** All metrics, for transfer to another thread. */
  collected(): Promise<CollectedMetrics>;
}

/** Metrics of one thread, in the registry's format. */
export type CollectedMetrics = MetricObject[];

/** Metrics of HTTP. */
export interface HttpMetrics {
  requestBegan(): void;
  /** @param route its pattern, "*" for unknown paths  @param status undefined if the client left before the response */
  requestEnded(route: string, method: string, status: number | undefined, ms: number): void;
  /** A request started, or was rejected, after waiting in a lane of the event loop. */
  requestWaited(lane: string, ms: number): void;
  /** Unparsable bytes were received. */
  unreadable(status: number): void;
  /** @param hits number of results  @param ms undefined if part of a page, whose time is measured by its request */
  searched(source: "json" | "section" | "page", hits: number, ms?: number): void;
  /** A search response was looked up in the cache. */
  answerSought(isHit: boolean): void;
  /** A limit of the table in `runtime/limits.ts` rejected an attempt. */
  limitReached(limit: string): void;
  /** @param outcome "done", "error", or the error code */
  cartWritten(operation: CartOperation, outcome: string): void;
}

export type CartOperation = "add" | "change" | "update" | "clear" | "buy_now";

/** Metrics of the database. */
export interface DatabaseMetrics {
  databaseUsed(operation: "read" | "write", outcome: DatabaseOutcome, ms: number): void;
  /** A commit of SQLite with its number of writes and its duration. */
  groupCommitted(writes: number, ms: number): void;
}

export type DatabaseOutcome = "done" | "conflict" | "unavailable" | "error";

/** Connections to the database server, and waiting requests. */
export interface Connections {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

/** @param build version, runtime and kind of database */
export function createMetrics(build: { version: string; node: string; database: string }): Metrics {
  const { registry, thread } = nodeMetrics();
  const registers = [registry];
  new Gauge({
    name: "vitrine_build_info",
    help: "Version, runtime, and database; always 1.",
    labelNames: Object.keys(build),
    registers,
  }).set(build, 1);
  const counted = countIn(thread);
  return {
    ...counted,
    ...catalogMetrics(registers),
    ...eventMetrics(registers),
    async text(others = []) {
      const summed = AggregatorRegistry.aggregate([await counted.collected(), ...others]);
      return `${await registry.metrics()}${await summed.metrics()}`;
    },
  };
}

export function createThreadMetrics(): ThreadMetrics {
  return countIn(nodeMetrics().thread);
}

function countIn(registry: Registry): ThreadMetrics {
  const registers = [registry];
  runtimeMetrics(registers);
  return {
    ...httpMetrics(registers),
    ...databaseMetrics(registers),
    collected: () => registry.getMetricsAsJSON() as unknown as Promise<CollectedMetrics>,
  };
}

/** Metrics of Node: of the process and of this thread. */
function nodeMetrics(): { readonly registry: Registry; readonly thread: Registry } {
  const [registry, thread] = [new Registry(), new Registry()];
  collectDefaultMetrics({ register: registry });
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = isOfThread.test(name) ? registry.getSingleMetric(name) : undefined;
    if (metric === undefined) continue;
    if (name.startsWith("nodejs_eventloop")) Object.assign(metric, { aggregator: "max" });
    registry.removeSingleMetric(name);
    thread.registerMetric(metric);
  }
  return { registry, thread };
}

/** Metrics of Node that exist per thread. */
const isOfThread = /^nodejs_(?:eventloop|heap|gc)_/;

/** Seconds. */
const SEARCH_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];
const WAIT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 2.5];
const DATABASE_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Up to the maximum writes of one group. */
const GROUP_BUCKETS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
/** The first bucket counts searches without results. */
const HIT_BUCKETS = [0, 1, 2, 5, 10, 20, 50, 100, 1_000];

function httpMetrics(registers: Registry[]): HttpMetrics {
  let inFlight = 0;
  let hits = 0;
  let misses = 0;
  const requests = createRequestTally(registers);
  new Gauge({
    name: "vitrine_http_requests_in_flight",
    help: "Requests without a response.",
    registers,
    collect() {
      this.set(inFlight);
    },
  });
  const waits = new Histogram({
    name: "vitrine_queue_wait_seconds",
    help: "Time that requests waited to start or to be rejected, by lane of the event loop. Cached responses do not wait.",
    labelNames: ["lane"],
    buckets: WAIT_BUCKETS,
    registers,
  });
  const unreadable = new Counter({
    name: "vitrine_http_unreadable_total",
    help: "Malformed HTTP requests, by the status of the response.",
    labelNames: ["status"],
    registers,
  });
  const searchHits = new Histogram({
    name: "vitrine_search_hits",
    help: "Results of searches; le=0: none. Cached responses are not counted.",
    labelNames: ["source"],
    buckets: HIT_BUCKETS,
    registers,
  });
  const searchSeconds = new Histogram({
    name: "vitrine_search_duration_seconds",
    help: "Time of a suggestion search, without rendering.",
    labelNames: ["source"],
    buckets: SEARCH_BUCKETS,
    registers,
  });
  new Counter({
    name: "vitrine_search_cache_total",
    help: "Lookups of cached suggestions, by result.",
    labelNames: ["result"],
    registers,
    collect() {
      this.reset();
      this.inc({ result: "hit" }, hits);
      this.inc({ result: "miss" }, misses);
    },
  });
  const cartWrites = new Counter({
    name: "vitrine_cart_writes_total",
    help: "Cart writes by operation and outcome: done, an error code, or error.",
    labelNames: ["operation", "outcome"],
    registers,
  });
  const limits = new Counter({
    name: "vitrine_limit_reached_total",
    help: "Attempts that a limit rejected, by limit.",
    labelNames: ["limit"],
    registers,
  });
  for (const limit of Object.keys(limitTable)) limits.inc({ limit }, 0);
  return {
    requestBegan() {
      inFlight += 1;
    },
    requestEnded(route, method, status, ms) {
      inFlight -= 1;
      requests.add(route, method, status, ms);
    },
    requestWaited: (lane, ms) => waits.observe({ lane }, ms / 1_000),
    unreadable: (status) => unreadable.inc({ status }),
    searched(source, found, ms) {
      searchHits.observe({ source }, found);
      if (ms !== undefined) searchSeconds.observe({ source }, ms / 1_000);
    },
    answerSought(isHit) {
      if (isHit) hits += 1;
      else misses += 1;
    },
    limitReached: (limit) => limits.inc({ limit }),
    cartWritten: (operation, outcome) => cartWrites.inc({ operation, outcome }),
  };
}

function databaseMetrics(registers: Registry[]): DatabaseMetrics & Pick<ThreadMetrics, "watchConnections"> {
  const operations = new Counter({
    name: "vitrine_database_operations_total",
    help: "Reads and writes by outcome; conflict: another write was first.",
    labelNames: ["operation", "outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "vitrine_database_duration_seconds",
    help: "Time of reads and writes, including their wait.",
    labelNames: ["operation"],
    buckets: DATABASE_BUCKETS,
    registers,
  });
  const groupSizes = new Histogram({
    name: "vitrine_sqlite_group_writes",
    help: "Writes in one commit.",
    buckets: GROUP_BUCKETS,
    registers,
  });
  const commitSeconds = new Histogram({
    name: "vitrine_sqlite_commit_duration_seconds",
    help: "Time until a group of writes is on disk.",
    buckets: DATABASE_BUCKETS,
    registers,
  });
  return {
    databaseUsed(operation, outcome, ms) {
      operations.inc({ operation, outcome });
      seconds.observe({ operation }, ms / 1_000);
    },
    groupCommitted(writes, ms) {
      groupSizes.observe(writes);
      commitSeconds.observe(ms / 1_000);
    },
    watchConnections(read) {
      new Gauge({
        name: "vitrine_database_connections",
        help: "PostgreSQL connections by state; waiting: operations that wait for one.",
        labelNames: ["state"],
        registers,
        collect() {
          const { inUse, idle, waiting } = read();
          this.set({ state: "in_use" }, inUse);
          this.set({ state: "idle" }, idle);
          this.set({ state: "waiting" }, waiting);
        },
      });
    },
  };
}
