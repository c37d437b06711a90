import type { Presenter } from "../catalog/presenters/presenter.ts";
import type { QuerySuggestion } from "./predictive-search.ts";
import type { SearchNotice } from "./search-notice.ts";

export interface QueryView {
  readonly query: QuerySuggestion;
  /** Locale prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

/** Fields of a suggested search, for JSON and templates. @see spec 2.1 */
export const queryPresenter = {
  text: ({ query }) => query.text,
  styled_text: ({ query }) => query.styledText,
  url: ({ query, prefix }) => formatSearchUrl(query.text, prefix),
} satisfies Presenter<QueryView>;

export interface NoticeView {
  readonly notice: SearchNotice;
  /** The search as typed. */
  readonly q: string;
  /** Locale prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

/** A notice that no result contains all words as typed. */
export const noticePresenter = {
  type: ({ notice }) => notice.type,
  terms: ({ notice }) => notice.terms,
  missing_terms: ({ notice }) => notice.missingTerms,
  exact_url: ({ notice, q, prefix }) =>
    notice.hasExactResults ? `${formatSearchUrl(q, prefix)}&spelling=exact` : undefined,
} satisfies Presenter<NoticeView>;

function formatSearchUrl(text: string, prefix: string): string {
  return `${prefix}/search?q=${encodeURIComponent(text.toWellFormed())}`;
}
