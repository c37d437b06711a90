import { createCache } from "../runtime/cache.ts";
import type { CompiledTheme } from "../theme/files/compiled-theme.ts";
import { getPageUpdates, type OpenPage, type PageUpdate, reloadUpdate } from "./page-effect.ts";

/** Pages that may be open in browsers, and the theme revisions that rendered them. */
export interface OpenPages {
  /**
   * Records a rendered page.
   * @param page undefined if the render failed, so that any change may fix it
   * @returns an id for the page
   */
  add(page?: OpenPage): string;
  /** Sets the current theme and its revision. */
  setTheme(theme: CompiledTheme, revision: number): void;
  /** Returns the updates that a page needs.  @param pageRevision theme revision that the page shows */
  findPageUpdate(name: string, pageRevision: number): PageUpdate;
  /** Returns whether the server rendered the page since its last start. */
  hasPage(name: string): boolean;
  readonly revision: number;
}

/** Maximum number of recorded pages, more than a developer has open. */
const MAX_PAGES = 500;
/** Maximum number of recorded revisions. Pages of older revisions are reloaded. */
const MAX_REVISIONS = 50;

/** Creates an empty collection of pages.  @param runId prefix of page ids, different for each run of the server */
export function trackOpenPages(runId: string): OpenPages {
  const pages = createCache<string, { readonly page: OpenPage | undefined }>({
    name: "dev_pages",
    maxWeight: MAX_PAGES,
  });
  const themes = createCache<number, CompiledTheme>({ name: "dev_themes", maxWeight: MAX_REVISIONS });
  let latestTheme: { readonly theme: CompiledTheme; readonly revision: number } | undefined;
  let count = 0;
  return {
    add(page) {
      count += 1;
      const name = `${runId}-${count}`;
      pages.set(name, { page });
      return name;
    },
    setTheme(theme, revision) {
      themes.set(revision, theme);
      latestTheme = { theme, revision };
    },
    hasPage: (name) => pages.get(name) !== undefined,
    findPageUpdate(name, pageRevision) {
      const existingPage = pages.get(name);
      const renderedTheme = themes.get(pageRevision);
      if (existingPage === undefined || renderedTheme === undefined || latestTheme === undefined) return reloadUpdate;
      if (existingPage.page === undefined)
        return pageRevision === latestTheme.revision ? emptyPageUpdate : reloadUpdate;
      return getPageUpdates(existingPage.page, renderedTheme, latestTheme.theme);
    },
    get revision() {
      return latestTheme?.revision ?? 0;
    },
  };
}

const emptyPageUpdate: PageUpdate = { isReload: false, sections: [], styles: {} };
