import type { Page } from "../page.ts";
import { type Presenter, shownId } from "./presenter.ts";

export interface ShownPage {
  /** In the language in which it is shown. */
  readonly page: Page;
  /** Of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

export const pagePresenter = {
  id: ({ page }) => shownId(page.id),
  title: ({ page }) => page.title,
  handle: ({ page }) => page.handle,
  url: ({ page, prefix }) => `${prefix}/pages/${encodeURIComponent(page.handle)}`,
  body: ({ page }) => page.content,
  content: ({ page }) => page.content,
} satisfies Presenter<ShownPage>;
