import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Counter, Histogram, Registry } from "prom-client";
import { createRequestCounters } from "./request-tally.ts";

const request = fc.record({
  route: fc.constantFrom("/", "/cart.js", "/products/:file(^.+\\.js(?:on)?$)", "*"),
  method: fc.constantFrom("GET", "HEAD", "POST", "PROPFIND", "get"),
  status: fc.option(fc.constantFrom(200, 304, 404, 502), { nil: undefined }),
  ms: fc.oneof(fc.constantFrom(0, 0.5, 1, 5_000, 5_001), fc.double({ min: 0, max: 10_000, noNaN: true })),
});

test("the tally reports the same as prom-client's counter and histogram", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 40 }), async (requests) => {
      const [talliedRegistry, referenceRegistry] = [new Registry(), new Registry()];
      const tally = createRequestCounters([talliedRegistry]);
      const counter = new Counter({
        name: "vitrine_http_requests_total",
        help: "-",
        labelNames: ["route", "method", "status"],
        registers: [referenceRegistry],
      });
      const histogram = new Histogram({
        name: "vitrine_http_request_duration_seconds",
        help: "-",
        labelNames: ["route"],
        buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
        registers: [referenceRegistry],
      });
      for (const { route, method, status, ms } of requests) {
        tally.add(route, method, status, ms);
        const countedMethod = ["GET", "HEAD", "POST"].includes(method) ? method : "other";
        counter.inc({ route, method: countedMethod, status: status ?? "none" });
        if (status !== undefined) histogram.observe({ route }, ms / 1_000);
      }
      // Metrics are collected twice, to check that the second time does not add them again.
      await talliedRegistry.metrics();
      assert.deepEqual(seriesOf(await talliedRegistry.metrics()), seriesOf(await referenceRegistry.metrics()));
    }),
    { numRuns: 100 },
  );
});

/**
 * Returns all series with their values, except routes without a response. Values are rounded to nine digits, since
 * floating point sums may differ.
 */
function seriesOf(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const roundedLines = lines.map((line) => line.replace(/[\d.e+-]+$/, (value) => Number(value).toPrecision(9)));
  return roundedLines.filter((line) => !/^vitrine_http_request_duration_seconds\S* 0\.00000000$/.test(line)).sort();
}
