import { createCache } from "../runtime/cache.ts";
import type { CompiledTheme } from "../theme/files/compiled-theme.ts";
import { effectOn, type PageEffect, reload, type ShownPage } from "./page-effect.ts";

/** Pages that may be open in browsers, and the theme revisions that rendered them. */
export interface ShownPages {
  /**
   * Records a rendered page.
   * @param page undefined if the render failed, so that any change may fix it
   * @returns an id for the page
   */
  add(page?: ShownPage): string;
  /** Sets the current theme and its revision. */
  take(theme: CompiledTheme, revision: number): void;
  /** Returns the updates that a page needs.  @param since revision that the page shows */
  effect(name: string, since: number): PageEffect;
  /** Returns whether this run of the server rendered the page. */
  isKnown(name: string): boolean;
  readonly revision: number;
}

/** Maximum number of recorded pages, more than a developer has open. */
const MAX_PAGES = 500;
/** Maximum number of recorded revisions. Pages of older revisions are reloaded. */
const MAX_REVISIONS = 50;

/** Creates an empty collection of pages.  @param run prefix of page ids, different for each run of the server */
export function createShownPages(run: string): ShownPages {
  const pages = createCache<string, { readonly page: ShownPage | undefined }>({
    name: "dev_pages",
    maxWeight: MAX_PAGES,
  });
  const themes = createCache<number, CompiledTheme>({ name: "dev_themes", maxWeight: MAX_REVISIONS });
  let latest: { readonly theme: CompiledTheme; readonly revision: number } | undefined;
  let count = 0;
  return {
    add(page) {
      count += 1;
      const name = `${run}-${count}`;
      pages.set(name, { page });
      return name;
    },
    take(theme, revision) {
      themes.set(revision, theme);
      latest = { theme, revision };
    },
    isKnown: (name) => pages.get(name) !== undefined,
    effect(name, since) {
      const known = pages.get(name);
      const before = themes.get(since);
      if (known === undefined || before === undefined || latest === undefined) return reload;
      if (known.page === undefined) return since === latest.revision ? NO_EFFECT : reload;
      return effectOn(known.page, before, latest.theme);
    },
    get revision() {
      return latest?.revision ?? 0;
    },
  };
}

const NO_EFFECT: PageEffect = { isReload: false, sections: [], styles: {} };
