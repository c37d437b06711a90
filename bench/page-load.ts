// Measures the first paint, the layout shift and the blocking time of pages. Loads the demo store's pages in Chromium
// with an empty cache and a CPU slowed down four times, and reads its traces.
//   node bench/page-load.ts

import type { Browser } from "playwright-core";
import { startDemo } from "../test/support/browser.ts";
import { type Cells, recordRows, today } from "./results.ts";
import { percentile } from "./store.ts";

interface TraceEvent {
  readonly name: string;
  readonly ts: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args: {
    readonly data?: {
      readonly documentLoaderURL?: string;
      readonly navigationId?: string;
      readonly had_recent_input?: boolean;
      readonly score?: number;
    };
  };
}

interface Load {
  /** Milliseconds since the start of the navigation. */
  readonly firstPaint: number;
  readonly largestPaint: number;
  /** Sum of layout shift scores. */
  readonly layoutShift: number;
  /** Total blocking time: the milliseconds above 50 of each main-thread task after the first paint. */
  readonly blockingMs: number;
  /** Bytes over the network, including headers. */
  readonly bytes: number;
  readonly requests: number;
}

const pages = {
  home: "/",
  collection: "/collections/rainwear",
  product: "/products/raincoat",
  search: "/search?q=rain",
  cart: "/cart",
};
const runs = 5;
const heading = "## page-load.ts";

const demo = await startDemo();
const visit = await demo.open("/robots.txt");
const browser = visit.page.context().browser();
const rows: Cells[] = [];
try {
  if (browser === null) throw new Error("the browser is gone");
  for (const [name, path] of Object.entries(pages)) {
    const loads: Load[] = [];
    for (let run = 0; run < runs; run += 1) loads.push(await load(browser, demo.origin + path));
    rows.push(row(name, loads));
    process.stdout.write(`| ${rows.at(-1)?.join(" | ")} |\n`);
  }
} finally {
  await demo.close();
}
recordRows(heading, rows);

/** Loads a page as a new visitor, with a cart for the cart page. */
async function load(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    const page = await context.newPage();
    if (url.endsWith("/cart")) {
      await page.goto(url.replace("/cart", "/products/raincoat"));
      await page.locator("[data-add-button]").click();
      await page.locator("dialog[open] .line").waitFor();
    }
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    let bytes = 0;
    let requests = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      requests += 1;
    });
    await browser.startTracing(page, { categories: ["loading", "toplevel", "blink.user_timing", "devtools.timeline"] });
    await page.goto(url, { waitUntil: "networkidle" });
    await page.waitForTimeout(500);
    const trace = JSON.parse((await browser.stopTracing()).toString()) as {
      readonly traceEvents: readonly TraceEvent[];
    };
    return { ...readTrace(trace.traceEvents, url), bytes, requests };
  } finally {
    await context.close();
  }
}

/** Images are documents too, with navigations and paints, so only events with the id of the page count. */
function readTrace(events: readonly TraceEvent[], url: string): Omit<Load, "bytes" | "requests"> {
  const start = events.find(({ name, args }) => name === "navigationStart" && args.data?.documentLoaderURL === url);
  const id = start?.args.data?.navigationId;
  const paintsOf = (kind: string): readonly TraceEvent[] =>
    events
      .filter(({ name, args }) => name === kind && args.data?.navigationId === id)
      .sort((left, right) => left.ts - right.ts);
  const largestPaints = paintsOf("largestContentfulPaint::Candidate");
  // Chromium sometimes omits the first paint. The first candidate for the largest paint is in the same frame.
  const firstPaintEvent = paintsOf("firstContentfulPaint")[0] ?? largestPaints[0];
  const lastPaintEvent = largestPaints.at(-1);
  if (start === undefined || firstPaintEvent === undefined || lastPaintEvent === undefined)
    throw new Error("the trace has no paint");
  const pageEvents = events.filter(({ pid, ts }) => pid === lastPaintEvent.pid && ts >= start.ts);
  const layoutShift = pageEvents
    .filter(({ name, args }) => name === "LayoutShift" && args.data?.had_recent_input !== true)
    .reduce((sum, { args }) => sum + (args.data?.score ?? 0), 0);
  const blockingMs = pageEvents
    .filter(({ name, tid, ts }) => name.endsWith("RunTask") && tid === lastPaintEvent.tid && ts >= firstPaintEvent.ts)
    .reduce((sum, { dur = 0 }) => sum + Math.max(0, dur / 1_000 - 50), 0);
  return {
    firstPaint: (firstPaintEvent.ts - start.ts) / 1_000,
    largestPaint: (lastPaintEvent.ts - start.ts) / 1_000,
    layoutShift,
    blockingMs,
  };
}

function row(name: string, loads: readonly Load[]): Cells {
  const medianOf = (value: (load: Load) => number): number => percentile(loads.map(value), 0.5);
  const maximumOf = (value: (load: Load) => number): number => Math.max(...loads.map(value));
  return [
    ...today(),
    name,
    `${medianOf(({ firstPaint }) => firstPaint).toFixed(0)} ms`,
    `${medianOf(({ largestPaint }) => largestPaint).toFixed(0)} / ${maximumOf(({ largestPaint }) => largestPaint).toFixed(0)} ms`,
    maximumOf(({ layoutShift }) => layoutShift).toFixed(4),
    `${medianOf(({ blockingMs }) => blockingMs).toFixed(0)} / ${maximumOf(({ blockingMs }) => blockingMs).toFixed(0)} ms`,
    `${(medianOf(({ bytes }) => bytes) / 1_000).toFixed(1)} kB`,
    `${medianOf(({ requests }) => requests)}`,
  ];
}
