import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObject,
  Registry,
} from "prom-client";
import { limitsByName } from "../runtime/limits.ts";
import { type CatalogMetrics, createCatalogMetrics } from "./catalog-metrics.ts";
import { createEventMetrics, type EventMetrics } from "./event-metrics.ts";
import { createRequestCounters } from "./request-tally.ts";
import { registerRuntimeMetrics } from "./runtime-metrics.ts";

/**
 * Metrics for a monitoring system. All times are in milliseconds. Labels are constants: a route pattern, a status, an
 * outcome. They are never a path, id, search term, or IP address, so that their number is limited and they contain no
 * personal data.
 */
export interface Metrics extends ThreadMetrics, CatalogMetrics, EventMetrics {
  /**
   * Returns all metrics in Prometheus text format.
   * @param otherThreadMetrics metrics of the other threads of the process
   * @see https://prometheus.io/docs/instrumenting/exposition_formats/
   */
  text(otherThreadMetrics?: readonly CollectedMetrics[]): Promise<string>;
}

/** Metrics of one thread. In the total, counts are summed, and an event loop delay is the maximum of all threads. */
export interface ThreadMetrics extends HttpMetrics, DatabaseMetrics {
  /** Registers the metrics of database connections.  @param getCounts called at each scrape */
  watchConnections(getCounts: () => ConnectionCounts): void;
  /** Returns all metrics, to transfer them to another thread. */
  collect(): Promise<CollectedMetrics>;
}

/** Metrics of one thread in the format of the registry. */
export type CollectedMetrics = MetricObject[];

/** Metrics of HTTP requests. */
export interface HttpMetrics {
  recordRequestStart(): void;
  /**
   * Records the end of a request.
   * @param route route pattern, or "*" for unknown paths
   * @param status HTTP status; undefined if the client disconnected before the response
   */
  recordRequestEnd(route: string, method: string, status: number | undefined, ms: number): void;
  /** Records how long a request waited in its queue of the scheduler before it was started or rejected. */
  recordQueueWait(queueName: string, ms: number): void;
  /** Records a malformed HTTP request. */
  recordMalformedRequest(status: number): void;
  /**
   * Records a search.
   * @param hits number of results
   * @param ms duration; undefined for a search in a page, whose duration is part of the request
   */
  recordSearch(source: "json" | "section" | "page", hits: number, ms?: number): void;
  /** Records a lookup of a search response in the cache. */
  recordCacheLookup(isCacheHit: boolean): void;
  /** Records an attempt that was rejected by a limit of `runtime/limits.ts`. */
  recordRejection(limit: string): void;
  /** Records a write of a cart.  @param outcome "done", "error", or the error code */
  recordCartWrite(operation: CartOperation, outcome: string): void;
}

export type CartOperation = "add" | "change" | "update" | "clear" | "buy_now";

export interface DatabaseMetrics {
  recordDatabaseOperation(operation: "read" | "write", outcome: DatabaseOutcome, ms: number): void;
  /** Records a commit of SQLite with its number of writes and its duration. */
  recordCommit(writes: number, ms: number): void;
}

export type DatabaseOutcome = "done" | "conflict" | "unavailable" | "error";

/** Number of connections to the database server by state, and of waiting requests. */
export interface ConnectionCounts {
  readonly inUseCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Creates the metrics of a process.  @param buildInfo versions of Vitrine and Node, and kind of database */
export function createMetrics(buildInfo: { version: string; node: string; database: string }): Metrics {
  const { registry, thread } = createNodeRegistries();
  const registers = [registry];
  new Gauge({
    name: "vitrine_build_info",
    help: "Version, runtime, and database; always 1.",
    labelNames: Object.keys(buildInfo),
    registers,
  }).set(buildInfo, 1);
  const threadMetrics = registerThreadMetrics(thread);
  return {
    ...threadMetrics,
    ...createCatalogMetrics(registers),
    ...createEventMetrics(registers),
    async text(otherThreadMetrics = []) {
      const aggregatedRegistry = AggregatorRegistry.aggregate([await threadMetrics.collect(), ...otherThreadMetrics]);
      return `${await registry.metrics()}${await aggregatedRegistry.metrics()}`;
    },
  };
}

export function createThreadMetrics(): ThreadMetrics {
  return registerThreadMetrics(createNodeRegistries().thread);
}

function registerThreadMetrics(registry: Registry): ThreadMetrics {
  const registers = [registry];
  registerRuntimeMetrics(registers);
  return {
    ...createHttpMetrics(registers),
    ...createDatabaseMetrics(registers),
    collect: () => registry.getMetricsAsJSON() as unknown as Promise<CollectedMetrics>,
  };
}

/** Returns Node's metrics of the process and of this thread, in separate registries. */
function createNodeRegistries(): { readonly registry: Registry; readonly thread: Registry } {
  const [registry, thread] = [new Registry(), new Registry()];
  collectDefaultMetrics({ register: registry });
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = threadMetricPattern.test(name) ? registry.getSingleMetric(name) : undefined;
    if (metric === undefined) continue;
    if (name.startsWith("nodejs_eventloop")) Object.assign(metric, { aggregator: "max" });
    registry.removeSingleMetric(name);
    thread.registerMetric(metric);
  }
  return { registry, thread };
}

/** Matches names of Node's metrics that exist once per thread. */
const threadMetricPattern = /^nodejs_(?:eventloop|heap|gc)_/;

/** Upper limits of the histogram buckets in seconds. */
const SEARCH_TIME_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];
const WAIT_TIME_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 2.5];
const DATABASE_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/**
 * Upper limits of the histogram buckets for the number of writes in one commit. The last limit is the maximum number.
 */
const COMMIT_SIZE_BUCKETS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
/** Upper limits of the histogram buckets for result counts. The first bucket counts searches without results. */
const HIT_COUNT_BUCKETS = [0, 1, 2, 5, 10, 20, 50, 100, 1_000];

function createHttpMetrics(registers: Registry[]): HttpMetrics {
  let inFlightCount = 0;
  let hits = 0;
  let missCount = 0;
  const requests = createRequestCounters(registers);
  new Gauge({
    name: "vitrine_http_requests_in_flight",
    help: "Requests without a response.",
    registers,
    collect() {
      this.set(inFlightCount);
    },
  });
  const waitDurations = new Histogram({
    name: "vitrine_queue_wait_seconds",
    help: "Time that requests waited to start or to be rejected, by lane of the event loop. Cached responses do not wait.",
    labelNames: ["lane"],
    buckets: WAIT_TIME_BUCKETS,
    registers,
  });
  const malformedRequests = new Counter({
    name: "vitrine_http_unreadable_total",
    help: "Malformed HTTP requests, by the status of the response.",
    labelNames: ["status"],
    registers,
  });
  const hitCounts = new Histogram({
    name: "vitrine_search_hits",
    help: "Results of searches; le=0: none. Cached responses are not counted.",
    labelNames: ["source"],
    buckets: HIT_COUNT_BUCKETS,
    registers,
  });
  const searchDurations = new Histogram({
    name: "vitrine_search_duration_seconds",
    help: "Time of a suggestion search, without rendering.",
    labelNames: ["source"],
    buckets: SEARCH_TIME_BUCKETS,
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
      this.inc({ result: "miss" }, missCount);
    },
  });
  const cartWrites = new Counter({
    name: "vitrine_cart_writes_total",
    help: "Cart writes by operation and outcome: done, an error code, or error.",
    labelNames: ["operation", "outcome"],
    registers,
  });
  const limitRejections = new Counter({
    name: "vitrine_limit_reached_total",
    help: "Attempts that a limit rejected, by limit.",
    labelNames: ["limit"],
    registers,
  });
  for (const limit of Object.keys(limitsByName)) limitRejections.inc({ limit }, 0);
  return {
    recordRequestStart() {
      inFlightCount += 1;
    },
    recordRequestEnd(route, method, status, ms) {
      inFlightCount -= 1;
      requests.add(route, method, status, ms);
    },
    recordQueueWait: (queueName, ms) => waitDurations.observe({ lane: queueName }, ms / 1_000),
    recordMalformedRequest: (status) => malformedRequests.inc({ status }),
    recordSearch(source, hitCount, ms) {
      hitCounts.observe({ source }, hitCount);
      if (ms !== undefined) searchDurations.observe({ source }, ms / 1_000);
    },
    recordCacheLookup(isCacheHit) {
      if (isCacheHit) hits += 1;
      else missCount += 1;
    },
    recordRejection: (limit) => limitRejections.inc({ limit }),
    recordCartWrite: (operation, outcome) => cartWrites.inc({ operation, outcome }),
  };
}

function createDatabaseMetrics(registers: Registry[]): DatabaseMetrics & Pick<ThreadMetrics, "watchConnections"> {
  const operations = new Counter({
    name: "vitrine_database_operations_total",
    help: "Reads and writes by outcome; conflict: another write was first.",
    labelNames: ["operation", "outcome"],
    registers,
  });
  const operationDurations = new Histogram({
    name: "vitrine_database_duration_seconds",
    help: "Time of reads and writes, including their wait.",
    labelNames: ["operation"],
    buckets: DATABASE_BUCKETS,
    registers,
  });
  const writesPerCommit = new Histogram({
    name: "vitrine_sqlite_group_writes",
    help: "Writes in one commit.",
    buckets: COMMIT_SIZE_BUCKETS,
    registers,
  });
  const commitDurations = new Histogram({
    name: "vitrine_sqlite_commit_duration_seconds",
    help: "Time until a group of writes is on disk.",
    buckets: DATABASE_BUCKETS,
    registers,
  });
  return {
    recordDatabaseOperation(operation, outcome, ms) {
      operations.inc({ operation, outcome });
      operationDurations.observe({ operation }, ms / 1_000);
    },
    recordCommit(writes, ms) {
      writesPerCommit.observe(writes);
      commitDurations.observe(ms / 1_000);
    },
    watchConnections(getCounts) {
      new Gauge({
        name: "vitrine_database_connections",
        help: "PostgreSQL connections by state; waiting: operations that wait for one.",
        labelNames: ["state"],
        registers,
        collect() {
          const { inUseCount, idleCount, waitingCount } = getCounts();
          this.set({ state: "in_use" }, inUseCount);
          this.set({ state: "idle" }, idleCount);
          this.set({ state: "waiting" }, waitingCount);
        },
      });
    },
  };
}
