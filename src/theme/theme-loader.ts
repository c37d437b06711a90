import { existsSync } from "node:fs";
import type { PricedCart } from "../cart/priced-cart.ts";
import type { Config } from "../config.ts";
import { Problem } from "../problem.ts";
import { assetFile } from "./asset-files.ts";
import { pageTime, patience, startSections } from "./budget.ts";
import { type CompiledTheme, compileTheme, placedFiles } from "./compiled-theme.ts";
import { createGlobals } from "./globals.ts";
import { pageReadsCart, renderPage } from "./page.ts";
import { findPageContext, type PageContext } from "./page-context.ts";
import type { RenderState } from "./render-state.ts";
import { findSection, renderSection } from "./sections.ts";
import type { RenderedPage, RenderedSection, RenderRequest, Theme } from "./theme.ts";
import { readThemeFolder } from "./theme-folder.ts";
import { createTurns } from "./turns.ts";
import { createView, type View } from "./view.ts";

export interface ThemeOptions {
  /** The store's own theme. */
  readonly dir: string;
  /** The whole theme to use where the store has none. */
  readonly fallbackDir?: string;
  readonly config: Config;
  /** Each render waits for it: see `createTurns`. */
  readonly turn?: () => Promise<void>;
  /** Told of what goes wrong without stopping a page: a section that failed, a JSON file that broke. */
  readonly report?: (error: unknown) => void;
}

/** Milliseconds a section waits for the cart. */
const cartTime = 5_000;
/** Milliseconds for which a look at the folder holds: one takes half a millisecond, and misses nothing on any file system. */
const lookTime = 100;
/** Looks at large themes hold longer, up to a second: looking takes this share of the time at most. */
const lookShare = 0.05;
const longestLookTime = 1_000;

/** Reads a theme's folder and follows its changes. @throws Error where neither folder is there */
export async function loadTheme(options: ThemeOptions): Promise<Theme> {
  const { config, fallbackDir, report = () => {}, turn = createTurns() } = options;
  const dir = existsSync(options.dir) || fallbackDir === undefined ? options.dir : fallbackDir;
  const locale = config.locales.default;
  let compiled = compileTheme(readThemeFolder(dir), locale, undefined, config);
  let revision = 1;
  for (const fault of compiled.faults) report(fault);
  let nextLook = performance.now() + lookTime;

  const current = (): CompiledTheme => {
    const start = performance.now();
    if (start < nextLook) return compiled;
    try {
      const folder = readThemeFolder(dir, compiled.folder);
      const end = performance.now();
      nextLook = end + Math.min(longestLookTime, Math.max(lookTime, (end - start) / lookShare));
      if (folder === compiled.folder) return compiled;
      compiled = compileTheme(folder, locale, compiled, config);
      revision += 1;
      for (const fault of compiled.faults) report(fault);
    } catch (error) {
      nextLook = start + lookTime;
      report(error);
    }
    return compiled;
  };
  const open = async (request: RenderRequest): Promise<Opened> => {
    await turn();
    const theme = current();
    const view = createView(request, config, theme);
    return { theme, view, page: findPageContext(view, theme) };
  };
  const begin = ({ theme, view, page }: Opened, cart: PricedCart | undefined): RenderState => {
    const globals = createGlobals(view, theme, page, cart);
    const end = performance.now() + pageTime * patience;
    return { theme, view, globals, report, end, sectionsLeft: startSections(), depth: 0, pages: new Map() };
  };

  return {
    revision: () => {
      current();
      return revision;
    },
    async renderSection(id: string, request: RenderRequest): Promise<RenderedSection> {
      const opened = await open(request);
      const found = findSection(id, opened.theme, opened.page);
      if (found === undefined) throw sectionNotFound(id);
      const readsCart = opened.theme.readsCart(placedFiles(found.placement));
      const cart = readsCart ? await loadCart(request, turn) : undefined;
      return { html: renderSection(begin(opened, cart), found), readsCart };
    },
    async renderPage(request: RenderRequest): Promise<RenderedPage> {
      const opened = await open(request);
      const cart = pageReadsCart(opened.theme, opened.page) ? await loadCart(request, turn) : undefined;
      const html = renderPage(begin(opened, cart), opened.page);
      const { type, search } = opened.page;
      return {
        status: type === "404" ? 404 : 200,
        html,
        ...(search === undefined ? {} : { searchTotal: search.results.total() }),
      };
    },
    assetFile: (name) => assetFile(current(), name),
    inline: () => current().inline,
    close: () => {},
  };
}

interface Opened {
  readonly theme: CompiledTheme;
  readonly view: View;
  readonly page: PageContext;
}

/** @see spec 7.1 */
function sectionNotFound(id: string): Problem {
  const shown = [...id].slice(0, 100).join("");
  return new Problem("section_not_found", `Section not found: '${shown}' was not found in the theme`);
}

/** @param turn many carts may come at once from the database  @throws Problem `cart_service_unavailable` where the cart does not come */
async function loadCart(request: RenderRequest, turn: () => Promise<void>): Promise<PricedCart> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const problem = new Problem("cart_service_unavailable", "The cart cannot be read at the moment. Please try again.");
    timer = setTimeout(() => reject(problem), cartTime);
  });
  try {
    const cart = await Promise.race([request.cart(), late]);
    await turn();
    return cart;
  } finally {
    clearTimeout(timer);
  }
}
