// Adds themes made for Shopify to copies of the demo store, opens their pages, and buys a product in Chromium at two
// widths. Prints what does not work. Requests to other hosts fail.
//   node scripts/try-themes.ts [--screenshots <folder>] [--no-pages] <folder, zip file, or git URL> ...

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { launchBrowser } from "../test/support/browser.ts";
import { fillOrderForm } from "../test/support/checkout-page.ts";
import { customerToken } from "../test/support/customer-token.ts";
import { serve } from "../test/support/server-process.ts";

const demo = fileURLToPath(new URL("../examples/harbour-outfitters", import.meta.url));
const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Text that a page must show, by path. */
const pages: Readonly<Record<string, RegExp>> = {
  "/": /Harbour Outfitters/i,
  "/products/raincoat": /Raincoat[\s\S]*148/i,
  "/products/raincoat?variant=102": /Raincoat[\s\S]*148/i,
  "/collections/rainwear": /Rain Hat/i,
  "/collections/all?page=2": /\d/,
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

/** Matches error messages and unrendered Liquid. */
const broken =
  /Liquid (?:syntax )?error[^<]*|translation missing[^<]*|\[object \w+\]|\{%[^<]{0,40}|\{\{-?\s*(?:product|collection|cart|shop|settings|section|block|page|routes|content_for|["'])[^<]{0,40}/i;

const widths = [1440, 390] as const;
/** Maximum milliseconds of a step in the browser. */
const STEP_TIMEOUT_MS = 60_000;

interface Context {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors since the last call. */
  takeErrors(): string[];
}

async function openContext(browser: Browser, origin: string, width: number): Promise<Context> {
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
  { page, takeErrors }: Context,
  expectations: Readonly<Record<string, RegExp>>,
): Promise<{ good: number; faults: string[] }> {
  const faults: string[] = [];
  let good = 0;
  for (const [path, expected] of Object.entries(expectations)) {
    try {
      const response = await page.goto(path, { waitUntil: "load" });
      const status = response?.status() ?? 0;
      const text = await page.locator("body").innerText();
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

async function firstVisible(locator: Locator): Promise<Locator | undefined> {
  for (const element of await locator.all())
    if ((await element.isVisible()) && (await element.isEnabled())) return element;
  return undefined;
}

async function press(element: Locator): Promise<string> {
  try {
    await element.click({ timeout: 5_000 });
    return "";
  } catch {
    await element.evaluate("(element) => element.click()");
    return " (covered)";
  }
}

async function count(page: Page): Promise<number> {
  return Number(await page.evaluate("fetch('/cart.js').then((r) => r.json()).then((cart) => cart.item_count)"));
}

async function buy({ page, takeErrors }: Context, shoot: (name: string) => Promise<unknown>): Promise<string[]> {
  const steps: string[] = [];
  try {
    await page.goto("/products/raincoat", { waitUntil: "load" });
    await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => {});
    await shoot("product");
    const inForm = `form[action*="/cart/add"] :is([name=add], [type=submit], button:not([type=button]))`;
    const add =
      (await firstVisible(page.locator(inForm))) ??
      (await firstVisible(page.locator("button[form]", { hasText: /add to/i }))) ??
      (await firstVisible(page.locator("form[action*='/cart/add'] button, [class*=add-to-cart]", { hasText: /add/i })));
    if (add === undefined) return [...steps, "no button adds to the cart"];
    const covered = await press(add);
    let items = 0;
    for (let times = 0; items === 0 && times < 40; times += 1) {
      await page.waitForTimeout(500);
      items = await count(page).catch(() => 0);
    }
    await shoot("added");
    if (items === 0) return [...steps, "the item did not reach the cart", ...takeErrors()];
    steps.push(`A${covered}`);
    await page.goto("/cart", { waitUntil: "load" });
    await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => {});
    await shoot("cart");
    if (!/Raincoat/i.test(await page.locator("body").innerText())) steps.push("the cart page does not show the item");
    for (const box of await page
      .locator("input[type=checkbox]:is([name*=agree i], [id*=agree i], [name*=terms i])")
      .all())
      if (await box.isVisible()) await box.check();
    const pay = `:is([name=checkout], a[href*="/checkout"], form[action*="/checkout"] [type=submit])`;
    const checkout =
      (await firstVisible(page.locator(`:is(main, #main, #MainContent, [role=main]) ${pay}`))) ??
      (await firstVisible(page.locator(pay)));
    const coveredCheckout = checkout === undefined ? "" : await press(checkout);
    const isReached =
      checkout !== undefined &&
      (await page.waitForURL(/\/checkout\//).then(
        () => true,
        () => false,
      ));
    steps.push(isReached ? `C${coveredCheckout}` : "no button leads to the checkout");
    if (!isReached) await page.goto("/checkout");
    await shoot("checkout");
    await fillOrderForm(page, "20457", "HH");
    const order = page.getByRole("button", { name: "Place order" });
    await press(order);
    await page.waitForURL(/\/orders\//).finally(() => shoot("thanks"));
    const text = await page.locator("body").innerText();
    steps.push(/#10\d\d[\s\S]*Raincoat/i.test(text) ? "thank-you" : "the thank-you page lacks the order");
  } catch (error) {
    steps.push(`${String(error).split("\n")[0]} at ${page.url()}`);
  }
  return [...steps, ...takeErrors()];
}

interface TrialOptions {
  /** Folder of the screenshots. Default: none are saved. */
  readonly screenshots: string | undefined;
  /** Whether to open all kinds of pages before the purchases. */
  readonly opensPages: boolean;
}

async function tryTheme(browser: Browser, source: string, { screenshots, opensPages }: TrialOptions): Promise<void> {
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
    await tryStore(browser, { name, storeDir, screenshots, opensPages });
  } finally {
    await rm(storeDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Serves a store, and prints what does not work in its pages and purchases. */
async function tryStore(
  browser: Browser,
  { name, storeDir, screenshots, opensPages }: TrialOptions & { readonly name: string; readonly storeDir: string },
): Promise<void> {
  const { origin, child, finished, log } = await serve(storeDir, "", { LOG_LEVEL: "warn" });
  try {
    if (opensPages) {
      const first = await openContext(browser, origin, widths[0]);
      const anonymous = await openPages(first, pages);
      await first.context.addCookies([{ name: "customer", value: customerToken("1"), url: origin }]);
      const signedIn = await openPages(first, accountPages);
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
      const shoot = async (step: string): Promise<unknown> =>
        screenshots === undefined
          ? undefined
          : visit.page.screenshot({ path: join(screenshots, `${name}-${width}-${step}.png`) }).catch(() => undefined);
      console.log(`Purchase at ${width} px: ${(await buy(visit, shoot)).join("; ")}`);
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
  options: { screenshots: { type: "string" }, "no-pages": { type: "boolean" } },
});
if (values.screenshots !== undefined) await mkdir(values.screenshots, { recursive: true });
const browser = await launchBrowser();
for (const source of positionals)
  await tryTheme(browser, source, {
    screenshots: values.screenshots,
    opensPages: values["no-pages"] !== true,
  });
await browser.close();
process.exit(0);
