import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Metrics of the catalog and of its builds. */
export interface CatalogMetrics {
  /**
   * Records a build of the catalog and the search index: its duration, or a failure. `part` is "whole" for a build from
   * all rows, "changes" for a build from changed rows, and "merge" for a merge of several changes.
   */
  recordBuild(part: "whole" | "changes" | "merge", ms: number, isSuccess: boolean): void;
  /** Registers the metrics of the current catalog.  @param getSummary called at each scrape */
  watchCatalog(getSummary: () => CatalogSummary): void;
}

/** Size and revision of the current catalog. */
export interface CatalogSummary {
  readonly revision: number;
  /** Number of published catalog entries by kind, such as products. */
  readonly entries: Readonly<Record<string, number>>;
  /** Number of documents in the index, including replaced documents. */
  readonly documents: number;
  readonly indexBytes: number;
  readonly catalogBytes: number;
}

/** Upper limits of the histogram buckets in seconds. */
const BUILD_TIME_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

export function createCatalogMetrics(registers: Registry[]): CatalogMetrics {
  const buildDurations = new Histogram({
    name: "vitrine_index_build_duration_seconds",
    help: "Time to build catalog and index: all rows (whole), changed rows (changes), or several changes together (merge).",
    labelNames: ["part"],
    buckets: BUILD_TIME_BUCKETS,
    registers,
  });
  const failures = new Counter({
    name: "vitrine_index_build_failures_total",
    help: "Failed builds of catalog and index; the previous one stays in use.",
    labelNames: ["part"],
    registers,
  });
  return {
    recordBuild(part, ms, isSuccess) {
      if (isSuccess) buildDurations.observe({ part }, ms / 1_000);
      else failures.inc({ part });
    },
    watchCatalog(getSummary) {
      const registerGauge = (name: string, help: string, value: (summary: CatalogSummary) => number): void => {
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(value(getSummary()));
          },
        });
      };
      registerGauge("vitrine_catalog_revision", "Revision of the current catalog.", (summary) => summary.revision);
      registerGauge("vitrine_catalog_bytes", "Bytes of the catalog in memory.", (summary) => summary.catalogBytes);
      registerGauge(
        "vitrine_index_documents",
        "Documents in the index, including replaced ones.",
        (summary) => summary.documents,
      );
      registerGauge("vitrine_index_bytes", "Bytes of the search index in memory.", (summary) => summary.indexBytes);
      new Gauge({
        name: "vitrine_catalog_entries",
        help: "Published entries, by kind.",
        labelNames: ["kind"],
        registers,
        collect() {
          for (const [kind, count] of Object.entries(getSummary().entries)) this.set({ kind }, count);
        },
      });
    },
  };
}
