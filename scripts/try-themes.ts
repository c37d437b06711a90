// Adds themes made for Shopify to copies of the demo store, opens their pages, and buys a product in Chromium. Prints
// what does not work. Requests to other hosts fail.
//   node scripts/try-themes.ts [--screenshots <folder>] [--no-pages] [--widths 1440,390] <folder, zip file, or git URL> ...

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../test/support/browser.ts";
import { customerToken } from "../test/support/customer-token.ts";
import { serve } from "../test/support/server-process.ts";
import { buy, type Shoot, type Visit } from "./buy-in-theme.ts";

const demo = fileURLToPath(new URL("../examples/harbour-outfitters", import.meta.url));
const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Text that a page must show, by path. */
const pages: Readonly<Record<string, RegExp>> = {
  "/": /Harbour Outfitters/i,
  "/products/raincoat": /Raincoat[\s\S]*148/i,
  "/products/raincoat?variant=102": /Raincoat[\s\S]*148/i,
  "/collections/rainwear": /Rain Hat/i,
  "/collections/all?page=2": /\d[.,]\d\d/,
  "/collections": /Rainwear/i,
  "/search?q=coat": /Little Raincoat/i,
  "/pages/about": /About/i,
  "/pages/contact": /Contact/i,
  "/blogs/tide-notes": /Tide/i,
  "/blogs/workbench/how-to-wax-a-canvas-bag": /Wax a Canvas Bag/i,
  "/cart": /cart|bag|basket/i,
  "/nope": /404|not found|can.t find|doesn.t exist|pardon|moved|sorry|oops/i,
  "/account/login": /log.?in|sign.?in/i,
  "/account/register": /register|create|sign.?up/i,
  "/fr/products/raincoat": /Raincoat|Ciré|Imperméable/i,
};

/** Text that a page must show to a signed-in customer, by path. */
const accountPages: Readonly<Record<string, RegExp>> = {
  "/account": /account|order/i,
  "/account/addresses": /address/i,
};

/** Names of screenshots, by path. */
const photographed: ReadonlyMap<string, string> = new Map([
  ["/", "home"],
  ["/collections/rainwear", "collection"],
  ["/search?q=coat", "search"],
]);

/** Matches error messages and unrendered Liquid. */
const broken =
  /Liquid (?:syntax )?error[^<]*|translation missing[^<]*|\[object \w+\]|\{%[^<]{0,40}|\{\{-?\s*(?:product|collection|cart|shop|settings|section|block|page|routes|content_for|["'])[^<]{0,40}/i;

/** Maximum milliseconds of a step in the browser. */
const STEP_TIMEOUT_MS = 60_000;

async function openContext(browser: Browser, origin: string, width: number): Promise<Visit> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width, height: 900 } });
  await context.route(
    (url) => url.origin !== origin,
    (route) => route.abort(),
  );
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  const errors = new Set<string>();
  page.on("console", (message) => {
    const isOfNetwork = /^Failed to load resource/.test(message.text());
    if (message.type() === "error" && !isOfNetwork) errors.add(`console: ${message.text().slice(0, 200)}`);
  });
  page.on("pageerror", (error) => {
    const [, place = ""] = /\((?:https?:\/\/[^/]+)?([^)]*)\)/.exec(error.stack ?? "") ?? [];
    errors.add(`script: ${error.message.slice(0, 200)} ${place}`);
  });
  page.on("response", (response) => {
    if (response.status() < 400 || response.request().isNavigationRequest()) return;
    errors.add(`${response.status()} ${response.url().replace(origin, "").slice(0, 150)}`);
  });
  const takeErrors = (): string[] => {
    const list = [...errors];
    errors.clear();
    return list;
  };
  return { context, page, takeErrors };
}

async function openPages(
  { page, takeErrors }: Visit,
  expectations: Readonly<Record<string, RegExp>>,
  shoot: Shoot,
): Promise<{ good: number; faults: string[] }> {
  const faults: string[] = [];
  let good = 0;
  for (const [path, expected] of Object.entries(expectations)) {
    try {
      const response = await page.goto(path, { waitUntil: "load" });
      const status = response?.status() ?? 0;
      const text = await page.locator("body").innerText();
      if (photographed.has(path)) await shoot(photographed.get(path) ?? "");
      const html = (await response?.text().catch(() => page.content())) ?? "";
      const rendered = html.replace(/<(script|template|style)\b[\s\S]*?<\/\1>/g, "");
      const [wrong] = broken.exec(rendered) ?? [];
      const isExpected = status === (path === "/nope" ? 404 : 200) && wrong === undefined && expected.test(text);
      if (isExpected) good += 1;
      if (status !== (path === "/nope" ? 404 : 200)) faults.push(`${path}: status ${status}`);
      if (!expected.test(text))
        faults.push(`${path}: does not show ${expected}${expected.test(rendered) ? " (hidden)" : ""}`);
      if (wrong !== undefined) faults.push(`${path}: ${wrong}`);
    } catch (error) {
      faults.push(`${path}: ${String(error).split("\n")[0]}`);
    }
    faults.push(...takeErrors().map((error) => `${path}: ${error}`));
  }
  return { good, faults };
}

interface TrialOptions {
  /** Folder for screenshots. Default: no screenshots. */
  readonly screenshots: string | undefined;
  /** Whether to open all kinds of pages, at the first width, before the purchases. */
  readonly opensPages: boolean;
  /** CSS pixels of the windows. */
  readonly widths: readonly number[];
}

async function tryTheme(browser: Browser, source: string, options: TrialOptions): Promise<void> {
  const name = basename(source).replace(/\.(?:zip|git)$/, "");
  console.log(`\n## ${name}`);
  const storeDir = await mkdtemp(join(tmpdir(), "vitrine-try-"));
  try {
    await cp(demo, storeDir, { recursive: true, filter: (path) => path !== join(demo, "data") });
    const configFile = join(storeDir, "vitrine.config.ts");
    const settings = await readFile(configFile, "utf8");
    await writeFile(configFile, settings.replace("defineStore({", "defineStore({\n  customers: { accounts: true },"));
    const theme = /^\w+:\/\//.test(source) ? source : resolve(source);
    for (const args of [
      ["add", theme, "--name", "tried"],
      ["publish", "tried"],
    ]) {
      const output = await promisify(execFile)(process.execPath, [main, "theme", ...args, "--store", storeDir]).catch(
        (error: { stdout: string; stderr: string }) => error,
      );
      console.log(`${output.stdout}${output.stderr}`.trim().replace(/^/gm, "  "));
    }
    await tryStore(browser, { ...options, name, storeDir });
  } finally {
    await rm(storeDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Serves a store, and prints what does not work in its pages and purchases. */
async function tryStore(
  browser: Browser,
  {
    name,
    storeDir,
    screenshots,
    opensPages,
    widths,
  }: TrialOptions & { readonly name: string; readonly storeDir: string },
): Promise<void> {
  const { origin, child, finished, log } = await serve(storeDir, "", { LOG_LEVEL: "warn" });
  const shootAt =
    (page: Page, width: number): Shoot =>
    (step) =>
      screenshots === undefined
        ? Promise.resolve()
        : page.screenshot({ path: join(screenshots, `${name}-${width}-${step}.png`) }).catch(() => undefined);
  try {
    if (opensPages) {
      const [width = 1440] = widths;
      const first = await openContext(browser, origin, width);
      const shoot = shootAt(first.page, width);
      const anonymous = await openPages(first, pages, shoot);
      await first.context.addCookies([{ name: "customer", value: customerToken("1"), url: origin }]);
      const signedIn = await openPages(first, accountPages, shoot);
      const total = Object.keys(pages).length + Object.keys(accountPages).length;
      console.log(`Pages: ${anonymous.good + signedIn.good} of ${total}`);
      const byFault = Map.groupBy([...anonymous.faults, ...signedIn.faults], (fault) =>
        fault.slice(fault.indexOf(": ") + 2),
      );
      for (const all of byFault.values()) console.log(`  ${all[0]}${all.length > 1 ? ` (${all.length} times)` : ""}`);
      await first.context.close();
    }
    for (const width of widths) {
      const visit = await openContext(browser, origin, width);
      const steps = await buy(visit, shootAt(visit.page, width));
      console.log(`Purchase at ${width} px: ${steps.join("; ")}`);
      await visit.context.close();
    }
  } finally {
    child.kill("SIGTERM");
    await finished;
  }
  const messages = new Set<string>();
  for (const line of log().split("\n")) {
    if (!line.startsWith("{")) {
      if (line.trim() !== "") messages.add(line);
      continue;
    }
    const { msg, error } = JSON.parse(line);
    messages.add(`${msg}: ${String(error).split("\n")[0]}`);
  }
  console.log(`Log: ${messages.size} messages`);
  for (const message of messages) console.log(`  ${message.slice(0, 300)}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    screenshots: { type: "string" },
    "no-pages": { type: "boolean" },
    widths: { type: "string", default: "1440,390" },
  },
});
if (values.screenshots !== undefined) await mkdir(values.screenshots, { recursive: true });
const browser = await launchBrowser();
for (const source of positionals)
  await tryTheme(browser, source, {
    screenshots: values.screenshots,
    opensPages: values["no-pages"] !== true,
    widths: values.widths.split(",").map(Number),
  });
await browser.close();
process.exit(0);
