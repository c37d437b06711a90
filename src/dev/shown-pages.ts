import { createCache } from "../runtime/cache.ts";
import type { CompiledTheme } from "../theme/files/compiled-theme.ts";
import { effectOn, type PageEffect, reload, type ShownPage } from "./page-effect.ts";

/** Pages that browsers may show, and the revisions of the theme that rendered them. */
export interface ShownPages {
  /** @param page undefined if it failed, so that any change may fix it  @returns its id */
  add(page?: ShownPage): string;
  /** Sets the current theme and its revision. */
  take(theme: CompiledTheme, revision: number): void;
  /** @param since revision that the browser shows  @returns updates to the newest revision */
  effect(name: string, since: number): PageEffect;
  /** Returns whether this run of the server rendered the page. */
  isKnown(name: string): boolean;
  readonly revision: number;
}

/** More pages than anyone has open. */
const MAX_PAGES = 500;
/** Number of stored revisions; pages of older ones are reloaded. */
const MAX_REVISIONS = 50;

/** @param run distinguishes ids of two runs of the server */
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
