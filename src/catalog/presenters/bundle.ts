import type { Bundle } from "../bundle.ts";
import { type Presenter, shownId } from "./presenter.ts";

export interface ShownBundle {
  /** In the language in which it is shown. */
  readonly bundle: Bundle;
  /** Of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

export const bundlePresenter = {
  id: ({ bundle }) => shownId(bundle.id),
  name: ({ bundle }) => bundle.name,
  title: ({ bundle }) => bundle.title,
  handle: ({ bundle }) => bundle.handle,
  type: ({ bundle }) => bundle.type,
  url: ({ bundle, prefix }) => `${prefix}/bundles/${encodeURIComponent(bundle.handle)}`,
  ends_at: ({ bundle }) => bundle.endsAt,
} satisfies Presenter<ShownBundle>;
