import { statSync } from "node:fs";
import type { PricedCart } from "../cart/priced-cart.ts";
import type { Config } from "../config/settings.ts";
import { Problem } from "../problem.ts";
import type { Lane } from "../runtime/scheduler.ts";
import { SetupError } from "../setup-error.ts";
import { facetNames } from "./facet-names.ts";
import { assetFile } from "./files/asset-files.ts";
import { compileTheme } from "./files/compile-theme.ts";
import { type CompiledTheme, placedFiles } from "./files/compiled-theme.ts";
import { readThemeFolder, type ThemeFolder } from "./files/theme-folder.ts";
import { limitIn } from "./liquid/with-location.ts";
import { objectMakers } from "./objects/object-makers.ts";
import { type ConformedHtml, conformHtml, withStyles } from "./render/content-html.ts";
import { createGlobals } from "./render/globals.ts";
import { hasPageFiles, type PageRender, pageError, pageFiles, renderPage } from "./render/page.ts";
import { findPageContext, type PageContext } from "./render/page-context.ts";
import { createState } from "./render/render-file.ts";
import { findSection, placedSection, renderSection } from "./render/sections.ts";
import type { RenderedPage, RenderedSection, RenderRequest, Theme } from "./theme.ts";
import { createView, type View } from "./view.ts";

export interface ThemeOptions {
  /** Folder of the store's theme. */
  readonly dir: string;
  /** Folder of the default theme, used if the store has no theme and for pages that the store's theme lacks. */
  readonly fallbackDir?: string;
  readonly config: Config;
  /** Resolves when a render may start. Default: immediately. */
  readonly yieldTo?: (lane: Lane) => Promise<void>;
  /**
   * Receives errors that do not stop a page, such as a failed node of a template or an unreadable file. Each error is
   * reported once per revision of the theme.
   */
  readonly report?: (error: unknown, revision: number) => void;
  /** Called with the first revision and after each change of the files, before the revision is used. */
  readonly onRevision?: (theme: CompiledTheme, revision: number) => void;
  /**
   * Returns HTML in place of a section or template that failed. A page that cannot be rendered then throws. Default: an
   * empty string, and the default theme's page.
   */
  readonly showError?: (error: unknown) => string;
}

/** Maximum milliseconds that a section waits for the cart. */
const CART_TIMEOUT_MS = 5_000;
/** Minimum milliseconds between two checks of the folder. A check takes half a millisecond. */
const MIN_CHECK_INTERVAL_MS = 100;
/** Maximum share of the time for checks of large themes. These checks are at most one second apart. */
const MAX_CHECK_SHARE = 0.05;
const MAX_CHECK_INTERVAL_MS = 1_000;
/** Maximum errors remembered per revision. Messages can contain template values, so their number is unbounded. */
const MAX_REPORTED = 1_000;

/** Reads the folder of a theme.  @throws SetupError if an existing file cannot be read */
function readFolder(dir: string): ThemeFolder {
  try {
    return readThemeFolder(dir);
  } catch (error) {
    throw new SetupError(`the theme cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Returns whether a path exists.  @throws Error if the check fails for another reason than a missing file */
function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** One revision of the theme and its reported errors. */
interface Revision {
  readonly theme: CompiledTheme;
  readonly failed: WeakSet<object>;
  readonly report: (error: unknown) => void;
}

/** Reads a theme's folder and detects its changes.  @throws Error if neither folder exists */
export async function loadTheme(options: ThemeOptions): Promise<Theme> {
  const { config, fallbackDir, report = () => {}, showError, yieldTo = async () => {} } = options;
  const hasStoreTheme = isThere(options.dir) || fallbackDir === undefined;
  const dir = hasStoreTheme ? options.dir : fallbackDir;
  const locale = config.locales.default;
  const begin = (theme: CompiledTheme, number: number, before?: CompiledTheme): Revision => {
    const reportOnce = (error: unknown): void => report(error, number);
    const known = new Set(before?.errors.map(({ message }) => message));
    for (const error of theme.errors) if (!known.has(error.message)) reportOnce(error);
    return { theme, failed: new WeakSet(), report: once(reportOnce) };
  };
  let count = 1;
  let latest = begin(compileTheme(readFolder(dir), locale, undefined, config), count);
  options.onRevision?.(latest.theme, count);
  let nextCheck = performance.now() + MIN_CHECK_INTERVAL_MS;
  const current = (): Revision => {
    const start = performance.now();
    if (start < nextCheck) return latest;
    try {
      const { theme } = latest;
      const folder = readThemeFolder(dir, theme.read);
      const end = performance.now();
      nextCheck =
        end + Math.min(MAX_CHECK_INTERVAL_MS, Math.max(MIN_CHECK_INTERVAL_MS, (end - start) / MAX_CHECK_SHARE));
      if (folder === theme.read) return latest;
      latest = begin(compileTheme(folder, locale, theme, config), count + 1, theme);
      count += 1;
      options.onRevision?.(latest.theme, count);
    } catch (error) {
      nextCheck = start + MIN_CHECK_INTERVAL_MS;
      latest.report(error);
    }
    return latest;
  };

  let oursLoaded: Revision | undefined;
  /** Returns the default theme, if the store has its own theme. */
  const defaultTheme = (): Revision | undefined => {
    if (fallbackDir === undefined || !hasStoreTheme) return undefined;
    oursLoaded ??= begin(compileTheme(readThemeFolder(fallbackDir), locale, undefined, config), 0);
    return oursLoaded;
  };
  const open = (request: RenderRequest, revision: Revision): Opened => {
    const view = createView(request, config, revision.theme, objectMakers);
    const page = findPageContext(view, revision.theme);
    if (page.error !== undefined) revision.report(page.error);
    return { ...revision, view, page };
  };
  /** Opens the page in the default theme if the store's theme cannot render it completely. */
  const openDefault = (request: RenderRequest, { theme, page, report: reportOnce }: Opened): Opened | undefined => {
    const error = pageError(theme, page);
    if (error !== undefined && showError !== undefined && hasPageFiles(theme, page)) throw error;
    const other = error === undefined ? undefined : defaultTheme();
    if (error === undefined || other === undefined) return undefined;
    reportOnce(error);
    return open(request, other);
  };
  const start = (
    { theme, failed, report: reportOnce, view, page }: Opened,
    cart: PricedCart | undefined,
  ): PageRender => {
    const globals = createGlobals(view, theme, page, cart);
    const shown = showError === undefined ? {} : { showError };
    return { page, state: createState(theme, view, globals, { report: reportOnce, failed, ...shown }) };
  };
  const startRenders = async (request: RenderRequest, both: readonly Opened[]): Promise<PageRender[]> => {
    const readsCart = both.some(({ theme, page }) => theme.readsCart(pageFiles(theme, page)));
    const cart = readsCart ? await loadCart(request, yieldTo) : undefined;
    if (both.some(({ theme, page }) => theme.readsOrders(pageFiles(theme, page)))) await readOrders(request, ...both);
    return both.map((one) => start(one, cart));
  };
  /**
   * Renders a page. If the layout exceeds a limit, the default theme renders the page instead.
   * @throws Error if there is no other theme
   */
  const renderFullPage = async (request: RenderRequest, render: PageRender, other?: PageRender): Promise<string> => {
    try {
      return renderPage(render, other);
    } catch (error) {
      const plain = limitIn(error) === undefined || showError !== undefined ? undefined : defaultTheme();
      if (plain === undefined) throw error;
      render.state.report(error);
      const [replaced] = await startRenders(request, [open(request, plain)]);
      return renderPage(replaced as PageRender);
    }
  };

  return {
    revision: () => {
      current();
      return count;
    },
    async renderSection(id: string, request: RenderRequest): Promise<RenderedSection> {
      await yieldTo(laneOf(request));
      let opened = open(request, current());
      let found = findSection(id, opened.theme, opened.page);
      if (found === undefined) {
        const other = openDefault(request, opened);
        found = other === undefined ? undefined : placedSection(id, other.theme, other.page);
        opened = other ?? opened;
      }
      if (found === undefined && request.requestedFrom !== undefined) {
        opened = open(request, current());
        found = placedSection(id, opened.theme, open({ ...request, target: request.requestedFrom }, current()).page);
      }
      if (found === undefined) throw sectionNotFound(id);
      const files = placedFiles(found.placement);
      const readsCart = opened.theme.readsCart(files);
      const cart = readsCart ? await loadCart(request, yieldTo) : undefined;
      if (opened.theme.readsOrders(files)) await readOrders(request, opened);
      const isPersonal = readsCart || opened.theme.readsCustomer(files);
      return { html: conformPage(opened.theme, renderSection(start(opened, cart).state, found)).html, isPersonal };
    },
    hasPage: (request) => open(request, current()).page.type !== "404",
    async renderPage(request: RenderRequest): Promise<RenderedPage> {
      await yieldTo(laneOf(request));
      const opened = open(request, current());
      const other = openDefault(request, opened);
      const [render, otherRender] = await startRenders(request, other === undefined ? [opened] : [opened, other]);
      const { page, state } = render as PageRender;
      const rendered = await renderFullPage(request, { page, state }, otherRender);
      const { html, css, frames } = conformPage(opened.theme, rendered);
      const styled = withStyles(html, css);
      const { type, search, template } = page;
      return {
        status: type === "404" ? 404 : 200,
        html: styled.html,
        template,
        sections: state.shown,
        ...(css === "" && frames.length === 0
          ? {}
          : { content: { styles: styled.hash === undefined ? [] : [styled.hash], frames } }),
        ...(search === undefined ? {} : { searchTotal: search.complete() }),
      };
    },
    facetNames: (locale) => facetNames(current().theme.translator(locale), locale),
    assetFile: (name, version) => {
      const asset = assetFile(current().theme, name);
      if (asset !== undefined && (version === undefined || version === asset.version)) return asset;
      const other = defaultTheme();
      const fallback = other === undefined ? undefined : assetFile(other.theme, name);
      return fallback !== undefined && (asset === undefined || version === fallback.version) ? fallback : asset;
    },
    inline: () => current().theme.inline,
    close: () => {},
  };
}

interface Opened extends Revision {
  readonly view: View;
  readonly page: PageContext;
}

function laneOf({ lane = "render" }: RenderRequest): Lane {
  return lane;
}

/** Replaces inline styles and frames in the shop's texts, unless the theme itself uses inline code. */
function conformPage({ inline }: CompiledTheme, html: string): ConformedHtml {
  return inline.scripts || inline.styles ? { html, css: "", frames: [] } : conformHtml(html);
}

/** Loads the customer's orders for templates that name them.  @throws the error of the request's source */
async function readOrders({ customerOrders }: RenderRequest, ...opened: readonly Opened[]): Promise<void> {
  const read = await customerOrders?.();
  if (read !== undefined) for (const { view } of opened) view.customerOrders.read = read;
}

/** Returns a function that reports each error once. */
function once(report: (error: unknown) => void): (error: unknown) => void {
  const reported = new Set<string>();
  return (error) => {
    const message = error instanceof Error ? error.message : String(error);
    if (reported.has(message) || reported.size >= MAX_REPORTED) return;
    reported.add(message);
    report(error);
  };
}

/** Returns the problem of an unknown section id.  @see spec 7.1 */
function sectionNotFound(id: string): Problem {
  const shown = [...id].slice(0, 100).join("");
  return new Problem("section_not_found", `Section not found: '${shown}' was not found in the theme`);
}

function cartUnavailable(): Problem {
  return new Problem("cart_service_unavailable", "The cart cannot be read at the moment. Please try again.");
}

/**
 * Loads the cart.
 * @param yieldTo called after the database returned the cart, since it may return many carts at once
 * @throws Problem `cart_service_unavailable` after the timeout
 */
async function loadCart(request: RenderRequest, yieldTo: (lane: Lane) => Promise<void>): Promise<PricedCart> {
  const coming = request.cart();
  if (!(coming instanceof Promise)) return coming;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(cartUnavailable()), CART_TIMEOUT_MS);
  });
  try {
    const cart = await Promise.race([coming, late]);
    await yieldTo(laneOf(request));
    return cart;
  } finally {
    clearTimeout(timer);
  }
}
