import type { Presenter } from "../catalog/presenters/presenter.ts";
import type { QuerySuggestion } from "./predictive-search.ts";

export interface QueryView {
  readonly query: QuerySuggestion;
  /** Locale prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

/** A completed search. @see spec 2.1 */
export const queryPresenter = {
  text: ({ query }) => query.text,
  styled_text: ({ query }) => query.styledText,
  url: ({ query, prefix }) => `${prefix}/search?q=${encodeURIComponent(query.text.toWellFormed())}`,
} satisfies Presenter<QueryView>;
