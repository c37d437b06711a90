import { isTracing, withSpan } from "../runtime/spans.ts";
import type { Theme } from "./theme.ts";

/** Adds spans to a theme, if spans are created. */
export function traceTheme(theme: Theme): Theme {
  if (!isTracing()) return theme;
  return {
    ...theme,
    renderSection: (id, request) =>
      withSpan("render section", { "vitrine.section": id }, () => theme.renderSection(id, request)),
    renderPage: (request) => withSpan("render page", {}, () => theme.renderPage(request)),
  };
}
