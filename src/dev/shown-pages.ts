import { LRUCache } from "lru-cache";
import type { CompiledTheme } from "../theme/files/compiled-theme.ts";
import { effectOn, type PageEffect, reload, type ShownPage } from "./page-effect.ts";

/** The pages that browsers may be showing, and the revisions of the theme that they were made by. */
export interface ShownPages {
  /** @param page absent: it could not be made, so that any change may mend it  @returns names it */
  note(page?: ShownPage): string;
  /** The theme as it is from now on, and its number. */
  take(theme: CompiledTheme, revision: number): void;
  /** @param since number of the theme that the browser shows  @returns what brings it to the newest */
  effect(name: string, since: number): PageEffect;
  /** Whether this run of the server has made the page. */
  isKnown(name: string): boolean;
  readonly revision: number;
}

/** More than anybody has open. */
const MAX_PAGES = 500;
/** Revisions of a theme that browsers may have slept through; what is older is loaded anew. */
const MAX_REVISIONS = 50;

/** @param run tells apart what two runs of the server name alike */
export function createShownPages(run: string): ShownPages {
  const pages = new LRUCache<string, { readonly page: ShownPage | undefined }>({ max: MAX_PAGES });
  const themes = new LRUCache<number, CompiledTheme>({ max: MAX_REVISIONS });
  let latest: { readonly theme: CompiledTheme; readonly revision: number } | undefined;
  let count = 0;
  return {
    note(page) {
      count += 1;
      const name = `${run}-${count}`;
      pages.set(name, { page });
      return name;
    },
    take(theme, revision) {
      themes.set(revision, theme);
      latest = { theme, revision };
    },
    isKnown: (name) => pages.has(name),
    effect(name, since) {
      const known = pages.get(name);
      const before = themes.get(since);
      if (known === undefined || before === undefined || latest === undefined) return reload;
      if (known.page === undefined) return since === latest.revision ? nothing : reload;
      return effectOn(known.page, before, latest.theme);
    },
    get revision() {
      return latest?.revision ?? 0;
    },
  };
}

const nothing: PageEffect = { isReload: false, sections: [], styles: {} };
