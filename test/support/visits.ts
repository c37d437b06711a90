import assert from "node:assert/strict";
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { HANG_MS } from "./until.ts";

export interface Visit {
  readonly page: Page;
  /**
   * Ends the visit. Console errors, script errors, violations of the security policy and failed requests fail the test.
   */
  close(expected?: { readonly failures?: readonly RegExp[] }): Promise<void>;
}

/** Function that opens a page as a new visitor. */
export type Open = (path: string, options?: VisitOptions) => Promise<Visit>;

export interface VisitOptions extends BrowserContextOptions {
  /** Whether the browser's cache is empty. Default: immutable files may be cached. */
  readonly isFirst?: boolean;
}

/** A page in a browser context that serves one visitor at a time. */
interface PooledPage {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly session: CDPSession;
}

/**
 * Creates visits of one shop over a pool of pages. Starting a page's process takes longer than most tests, so a visit
 * reuses an idle page with the same options, after its cookies, storage, listeners and emulation are cleared.
 */
export function createVisits(browser: Browser, origin: string): Open {
  /** Idle pages, by the options of their visits as JSON. */
  const free = new Map<string, PooledPage[]>();

  return async (path, { isFirst = false, ...options } = {}) => {
    const kind = JSON.stringify(options);
    const pooled =
      (isFirst ? undefined : free.get(kind)?.pop()) ?? (await newPooledPage(browser, { baseURL: origin, ...options }));
    const { context, page } = pooled;
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || /content security policy/i.test(message.text())) errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("response", (response) => {
      if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(path);
    return {
      page,
      async close({ failures = [] } = {}) {
        if (isFirst) await context.close();
        else {
          await vacate(pooled, origin, options);
          free.set(kind, [...(free.get(kind) ?? []), pooled]);
        }
        assert.deepEqual(
          errors.filter((text) => !failures.some((pattern) => pattern.test(text))),
          [],
        );
      },
    };
  };
}

async function newPooledPage(browser: Browser, options: BrowserContextOptions): Promise<PooledPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(HANG_MS);
  return { context, page, session: await context.newCDPSession(page) };
}

/** Clears the state of a visit from a pooled page. */
async function vacate(
  { context, page, session }: PooledPage,
  origin: string,
  options: BrowserContextOptions,
): Promise<void> {
  for (const event of ["console", "pageerror", "request", "response"] as const) page.removeAllListeners(event);
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  if (options.javaScriptEnabled !== false) await page.evaluate("sessionStorage.clear()");
  // This page has the same origin, which keeps the process alive, and no scripts.
  await page.goto(`${origin}/robots.txt`);
  await context.clearCookies();
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await page.setViewportSize(options.viewport ?? { width: 1_280, height: 720 });
  const { colorScheme = "light", reducedMotion = "no-preference" } = options;
  await page.emulateMedia({ media: null, colorScheme, reducedMotion });
}
