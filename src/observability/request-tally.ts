import { Counter, Histogram, type Registry } from "prom-client";

/** Upper limits of the histogram buckets in seconds, from a cached response (less than a millisecond) to a timeout. */
const TIME_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Upper limits of the histogram buckets in milliseconds. */
const BUCKET_BOUNDS_MS = TIME_BUCKETS.map((seconds) => seconds * 1_000);
/** HTTP methods with a separate count. All others are counted as "other", since clients can send any method. */
const HTTP_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"];

/** Request counts of one route. */
interface RouteStatistics {
  /**
   * Number of requests by status and method. The key is ten times the status (0 for none) plus the index of the method.
   */
  readonly counts: Map<number, number>;
  /** Number of responses in each bucket of the duration histogram. The last bucket has no upper limit. */
  readonly bucketCounts: Float64Array;
  totalMs: number;
}

/**
 * Creates counters of requests. They are plain arrays, which makes counting cheap, and are converted to the format of
 * the registry at each scrape.
 */
export function createRequestCounters(registers: Registry[]) {
  const statsByRoute = new Map<string, RouteStatistics>();
  new Counter({
    name: "vitrine_http_requests_total",
    help: 'Requests by route pattern ("*": no route), method, and status ("none": the client disconnected first).',
    labelNames: ["route", "method", "status"],
    registers,
    collect() {
      this.reset();
      for (const [route, { counts }] of statsByRoute) {
        for (const [key, count] of counts)
          this.inc({ route, method: HTTP_METHODS[key % 10] ?? "other", status: Math.floor(key / 10) || "none" }, count);
      }
    },
  });
  new RouteHistogram(statsByRoute, registers);
  return {
    /**
     * Counts a request.
     * @param route route pattern
     * @param status HTTP status; undefined if the client disconnected before the response
     * @param ms duration in milliseconds
     */
    add(route: string, method: string, status: number | undefined, ms: number) {
      let routeStats = statsByRoute.get(route);
      if (routeStats === undefined) {
        routeStats = { counts: new Map(), bucketCounts: new Float64Array(BUCKET_BOUNDS_MS.length + 1), totalMs: 0 };
        statsByRoute.set(route, routeStats);
      }
      const methodIndex = HTTP_METHODS.indexOf(method);
      const key = (status ?? 0) * 10 + (methodIndex === -1 ? HTTP_METHODS.length - 1 : methodIndex);
      routeStats.counts.set(key, (routeStats.counts.get(key) ?? 0) + 1);
      if (status === undefined) return;
      let bucket = 0;
      while (bucket < BUCKET_BOUNDS_MS.length && ms > (BUCKET_BOUNDS_MS[bucket] ?? 0)) bucket += 1;
      routeStats.bucketCounts[bucket] = (routeStats.bucketCounts[bucket] ?? 0) + 1;
      routeStats.totalMs += ms;
    },
  };
}

const METRIC_NAME = "vitrine_http_request_duration_seconds";
const METRIC_HELP = "Time from the headers of a request to the end of its response.";

/** A Prometheus histogram that takes its values from the request counters when it is read. */
class RouteHistogram extends Histogram<"route"> {
  readonly #routeStatistics: ReadonlyMap<string, RouteStatistics>;

  constructor(statsByRoute: ReadonlyMap<string, RouteStatistics>, registers: Registry[]) {
    super({ name: METRIC_NAME, help: METRIC_HELP, labelNames: ["route"], buckets: TIME_BUCKETS, registers });
    this.#routeStatistics = statsByRoute;
  }

  /** Called by the registry when it writes metrics as text, and by `get`. */
  async getForPromString(): Promise<object> {
    return {
      name: METRIC_NAME,
      help: METRIC_HELP,
      type: "histogram",
      aggregator: "sum",
      values: [...this.#routeStatistics].flatMap(toHistogramValues),
    };
  }
}

function toHistogramValues([route, { bucketCounts, totalMs }]: readonly [string, RouteStatistics]): readonly object[] {
  let count = 0;
  const sharedLabels = { route };
  const buckets = [...bucketCounts].map((responseCount, index) => {
    count += responseCount;
    return {
      metricName: `${METRIC_NAME}_bucket`,
      sharedLabels,
      labels: { le: TIME_BUCKETS[index] ?? "+Inf" },
      value: count,
    };
  });
  return [
    ...buckets,
    { metricName: `${METRIC_NAME}_sum`, sharedLabels, labels: {}, value: totalMs / 1_000 },
    { metricName: `${METRIC_NAME}_count`, sharedLabels, labels: {}, value: count },
  ];
}
