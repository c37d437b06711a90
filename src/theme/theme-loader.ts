import { statSync } from "node:fs";
import type { PricedCart } from "../cart/priced-cart.ts";
import type { Config } from "../config/settings.ts";
import { Problem } from "../problem.ts";
import type { QueueName } from "../runtime/scheduler.ts";
import { truncateText } from "../runtime/truncate-text.ts";
import { withTimeout } from "../runtime/with-timeout.ts";
import { getFacetNames } from "./facet-names.ts";
import { getAssetFile } from "./files/asset-files.ts";
import { compileTheme } from "./files/compile-theme.ts";
import { type CompiledTheme, listPlacementFiles } from "./files/compiled-theme.ts";
import { createMediaLookup } from "./files/media-files.ts";
import { loadThemeFolder, readThemeFolder } from "./files/theme-folder.ts";
import { findLimitError } from "./liquid/with-location.ts";
import { objectFactories } from "./objects/object-makers.ts";
import { addStyles, type CleanedHtml, rewriteHtml } from "./render/content-html.ts";
import { createGlobals } from "./render/globals.ts";
import {
  findPageError,
  hasPageFiles,
  lacksTemplate,
  listPageFiles,
  type RenderPass,
  renderPage,
} from "./render/page.ts";
import { findPageContext, type PageContext } from "./render/page-context.ts";
import { initState } from "./render/render-file.ts";
import { findPlacedSection, findSection, type LocatedSection, renderSection } from "./render/sections.ts";
import type { RenderedPage, RenderedSection, RenderRequest, Theme } from "./theme.ts";
import { createView, type View } from "./view.ts";

export interface ThemeOptions {
  /** Folder of the store's theme. */
  readonly dir: string;
  /** Folder of the default theme. It is used if the store has no theme, and for pages that the store's theme lacks. */
  readonly fallbackDir?: string;
  /** Folder of the store's images. Default: templates find every image. */
  readonly mediaDir?: string;
  readonly config: Config;
  /** Waits until a render may start, so that other requests are not delayed. Default: renders start immediately. */
  readonly yieldTo?: (queueName: QueueName) => Promise<void>;
  /**
   * Receives errors that do not stop a page, such as a failed tag or an unreadable file. After a change of the theme's
   * files, the same error is reported again.
   */
  readonly report?: (error: unknown, revision: number) => void;
  /** Called when the theme is loaded, and after each change of its files before the change takes effect. */
  readonly onRevision?: (theme: CompiledTheme, revision: number) => void;
  /**
   * Returns HTML to show in place of a section or template that failed. If a page cannot be rendered, an error is
   * thrown. Default: failed sections are empty, and the default theme renders failed pages.
   */
  readonly showError?: (error: unknown) => string;
}

/** Maximum milliseconds that a section waits for the cart. */
const CART_TIMEOUT_MS = 5_000;
/** Minimum milliseconds between two searches for changed files. A search takes half a millisecond. */
const MIN_CHECK_INTERVAL_MS = 100;
/**
 * Maximum share of the time spent on searching for changed files. In a large theme, searches are up to one second
 * apart.
 */
const MAX_CHECK_TIME_SHARE = 0.05;
const MAX_CHECK_INTERVAL_MS = 1_000;
/** Maximum number of remembered errors per revision. It bounds the memory, because messages can contain variables. */
const MAX_REPORTED_ERRORS = 1_000;

/** One revision of the theme, with the errors reported for it. */
interface Revision {
  readonly theme: CompiledTheme;
  readonly reportedNodes: WeakSet<object>;
  readonly report: (error: unknown) => void;
}

/** Loads a theme and detects changes of its files.  @throws Error if neither folder exists */
export function loadTheme(options: ThemeOptions): Theme {
  const { config, fallbackDir, report = () => {}, showError, yieldTo = async () => {} } = options;
  const usesStoreTheme = statSync(options.dir, { throwIfNoEntry: false }) !== undefined || fallbackDir === undefined;
  const dir = usesStoreTheme ? options.dir : fallbackDir;
  const locale = config.locales.default;
  const hasMedia = createMediaLookup(options.mediaDir);
  const openRevision = (theme: CompiledTheme, number: number, previousTheme?: CompiledTheme): Revision => {
    const reportError = (error: unknown): void => report(error, number);
    const knownMessages = new Set(previousTheme?.errors.map(({ message }) => message));
    for (const error of theme.errors) if (!knownMessages.has(error.message)) reportError(error);
    return { theme, reportedNodes: new WeakSet(), report: reportOnce(reportError) };
  };
  let revisionCount = 1;
  let latestRevision = openRevision(compileTheme(loadThemeFolder(dir), locale, undefined, config), revisionCount);
  options.onRevision?.(latestRevision.theme, revisionCount);
  let nextCheckTime = performance.now() + MIN_CHECK_INTERVAL_MS;
  const readCurrentRevision = (): Revision => {
    const startTime = performance.now();
    if (startTime < nextCheckTime) return latestRevision;
    try {
      const { theme } = latestRevision;
      const folder = loadThemeFolder(dir, theme.currentFolder);
      const endTime = performance.now();
      nextCheckTime =
        endTime +
        Math.min(MAX_CHECK_INTERVAL_MS, Math.max(MIN_CHECK_INTERVAL_MS, (endTime - startTime) / MAX_CHECK_TIME_SHARE));
      if (folder === theme.currentFolder) return latestRevision;
      latestRevision = openRevision(compileTheme(folder, locale, theme, config), revisionCount + 1, theme);
      revisionCount += 1;
      options.onRevision?.(latestRevision.theme, revisionCount);
    } catch (error) {
      nextCheckTime = startTime + MIN_CHECK_INTERVAL_MS;
      latestRevision.report(error);
    }
    return latestRevision;
  };

  let loadedDefaultTheme: Revision | undefined;
  /** Returns the default theme, or undefined if the store itself uses it. */
  const getFallback = (): Revision | undefined => {
    if (fallbackDir === undefined || !usesStoreTheme) return undefined;
    const themeConfig = { ...config, themePreset: undefined };
    loadedDefaultTheme ??= openRevision(compileTheme(readThemeFolder(fallbackDir), locale, undefined, themeConfig), 0);
    return loadedDefaultTheme;
  };
  const openPage = (request: RenderRequest, revision: Revision): OpenedPage => {
    const view = createView(request, config, revision.theme, objectFactories, hasMedia);
    const page = findPageContext(view, revision.theme);
    if (page.error !== undefined) revision.report(page.error);
    return { ...revision, view, page };
  };
  /** Opens the page in the default theme if the store's theme has no valid template or layout for it. */
  const openDefaultPage = (request: RenderRequest, { theme, page, report }: OpenedPage): OpenedPage | undefined => {
    const error = findPageError(theme, page);
    if (error !== undefined && showError !== undefined && hasPageFiles(theme, page)) throw error;
    const fallbackTheme = error === undefined ? undefined : getFallback();
    if (error === undefined || fallbackTheme === undefined) return undefined;
    if (!lacksTemplate(theme, page)) report(error);
    return openPage(request, fallbackTheme);
  };
  /**
   * Finds a section on the page of a request. If it is not there, finds it on that page of the default theme, or on the
   * page that requested it.
   */
  const locateSection = (id: string, request: RenderRequest): SectionLocation | undefined => {
    const openedPage = openPage(request, readCurrentRevision());
    const section = findSection(id, openedPage.theme, openedPage.page);
    if (section !== undefined) return { openedPage, section, isOnRequestingPage: false };
    const defaultPage = openDefaultPage(request, openedPage);
    const defaultSection = defaultPage && findPlacedSection(id, defaultPage.theme, defaultPage.page);
    if (defaultPage !== undefined && defaultSection !== undefined)
      return { openedPage: defaultPage, section: defaultSection, isOnRequestingPage: false };
    if (request.requestingPage === undefined) return undefined;
    const { page } = openPage({ ...request, target: request.requestingPage }, openedPage);
    const placedSection = findPlacedSection(id, openedPage.theme, page);
    return placedSection && { openedPage, section: placedSection, isOnRequestingPage: true };
  };
  const startRender = (
    { theme, reportedNodes, report, view, page }: OpenedPage,
    cart: PricedCart | undefined,
  ): RenderPass => {
    const globals = createGlobals(view, theme, page, cart);
    const errorOptions = showError === undefined ? {} : { showError };
    return { page, state: initState(theme, view, globals, { report, reportedNodes, ...errorOptions }) };
  };
  const startRenders = async (request: RenderRequest, pages: readonly OpenedPage[]): Promise<RenderPass[]> => {
    const dataReads = pages.map(({ theme, page }) => theme.findDataReads(listPageFiles(theme, page)));
    const cart = dataReads.some((reads) => reads.cart) ? await loadCart(request, yieldTo) : undefined;
    if (dataReads.some((reads) => reads.orders)) await readOrders(request, ...pages);
    return pages.map((page) => startRender(page, cart));
  };
  /**
   * Renders a page. If the layout exceeds a limit, the default theme renders the page instead.
   * @throws Error if there is no other theme
   */
  const renderFullPage = async (request: RenderRequest, render: RenderPass, fallback?: RenderPass): Promise<string> => {
    try {
      return renderPage(render, fallback);
    } catch (error) {
      const fallbackTheme = findLimitError(error) === undefined || showError !== undefined ? undefined : getFallback();
      if (fallbackTheme === undefined) throw error;
      render.state.report(error);
      const [fallbackPageRender] = await startRenders(request, [openPage(request, fallbackTheme)]);
      return renderPage(fallbackPageRender as RenderPass);
    }
  };

  return {
    revision: () => {
      readCurrentRevision();
      return revisionCount;
    },
    async renderSection(id: string, request: RenderRequest): Promise<RenderedSection> {
      await yieldTo(request.lane ?? "render");
      const location = locateSection(id, request);
      if (location === undefined) throw createSectionNotFound(id);
      const { openedPage, section, isOnRequestingPage } = location;
      const reads = openedPage.theme.findDataReads(listPlacementFiles(section.placement));
      const cart = reads.cart ? await loadCart(request, yieldTo) : undefined;
      if (reads.orders) await readOrders(request, openedPage);
      const isPersonal = reads.cart || reads.customer || isOnRequestingPage;
      return {
        html: rewritePage(openedPage.theme, renderSection(startRender(openedPage, cart).state, section)).html,
        isPersonal,
      };
    },
    hasPage: (request) => openPage(request, readCurrentRevision()).page.type !== "404",
    async renderPage(request: RenderRequest): Promise<RenderedPage> {
      await yieldTo(request.lane ?? "render");
      const openedPage = openPage(request, readCurrentRevision());
      const defaultPage = openDefaultPage(request, openedPage);
      const [pageRender, defaultPageRender] = await startRenders(
        request,
        defaultPage === undefined ? [openedPage] : [openedPage, defaultPage],
      );
      const { page, state } = pageRender as RenderPass;
      const renderedHtml = await renderFullPage(request, { page, state }, defaultPageRender);
      const { html, css, frames } = rewritePage(openedPage.theme, renderedHtml);
      const pageWithStyles = addStyles(html, css);
      const { type, search, template } = page;
      return {
        status: type === "404" ? 404 : 200,
        html: pageWithStyles.html,
        template,
        sections: state.renderedSections,
        ...(css === "" && frames.length === 0
          ? {}
          : { content: { styles: pageWithStyles.hash === undefined ? [] : [pageWithStyles.hash], frames } }),
        ...(search === undefined ? {} : { fullMatchCount: search().completeCount() }),
      };
    },
    facetNames: (locale) => getFacetNames(readCurrentRevision().theme.getTranslator(locale), locale),
    assetFile: (name, version) => {
      const asset = getAssetFile(readCurrentRevision().theme, name);
      if (asset !== undefined && (version === undefined || version === asset.version)) return asset;
      const fallbackTheme = getFallback();
      const fallback = fallbackTheme === undefined ? undefined : getAssetFile(fallbackTheme.theme, name);
      return fallback !== undefined && (asset === undefined || version === fallback.version) ? fallback : asset;
    },
    getInlineCode: () => readCurrentRevision().theme.inlineCode,
  };
}

interface OpenedPage extends Revision {
  readonly view: View;
  readonly page: PageContext;
}

interface SectionLocation {
  readonly openedPage: OpenedPage;
  readonly section: LocatedSection;
  readonly isOnRequestingPage: boolean;
}

/** Rewrites inline styles and frames in the shop's texts, unless the theme itself uses inline code. */
function rewritePage({ inlineCode }: CompiledTheme, html: string): CleanedHtml {
  return inlineCode.hasScripts || inlineCode.hasStyles ? { html, css: "", frames: [] } : rewriteHtml(html);
}

/** Loads the customer's orders into the views of pages.  @throws the error of the function that loads the orders */
async function readOrders({ customerOrders }: RenderRequest, ...openedPages: readonly OpenedPage[]): Promise<void> {
  const orders = await customerOrders?.();
  if (orders !== undefined) for (const { view } of openedPages) view.customerOrders.orders = orders;
}

/** Wraps a function so that it reports each error once. */
function reportOnce(report: (error: unknown) => void): (error: unknown) => void {
  const reportedMessages = new Set<string>();
  return (error) => {
    const message = error instanceof Error ? error.message : String(error);
    if (reportedMessages.has(message) || reportedMessages.size >= MAX_REPORTED_ERRORS) return;
    reportedMessages.add(message);
    report(error);
  };
}

/** Creates the error response for an unknown section id.  @see spec 7.1 */
function createSectionNotFound(id: string): Problem {
  const printableId = truncateText(id.replace(/[\p{Cc}\p{Cf}]/gu, ""), 100);
  return new Problem("section_not_found", `Section not found: '${printableId}' was not found in the theme`);
}

/**
 * Loads the cart.
 * @param yieldTo called after the cart is loaded, because many carts can arrive from the database at once
 * @throws Problem `cart_service_unavailable` after the timeout
 */
async function loadCart(request: RenderRequest, yieldTo: (queueName: QueueName) => Promise<void>): Promise<PricedCart> {
  const pendingCart = request.cart();
  if (!(pendingCart instanceof Promise)) return pendingCart;
  const createError = (): Problem =>
    new Problem("cart_service_unavailable", "The cart cannot be read at the moment. Please try again.");
  const cart = await withTimeout(pendingCart, CART_TIMEOUT_MS, createError);
  await yieldTo(request.lane ?? "render");
  return cart;
}
