import { Problem } from "../problem.ts";
import { PageError } from "../theme/page-error.ts";
import type { Theme } from "../theme/theme.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { renderDiagnosticPage } from "./diagnostic-html.ts";
import type { OpenPages } from "./open-pages.ts";

/** URL path of the live reload script. */
export const clientPath = "/vitrine/dev/client.js";

/**
 * Returns a theme for development. Its pages load the live reload script, and a page that cannot be rendered shows the
 * error.
 * @param onError receives the error of a page or section and returns its diagnostic
 */
export function createLiveReloadTheme(theme: Theme, pages: OpenPages, onError: (error: unknown) => Diagnostic): Theme {
  return {
    ...theme,
    async renderSection(id, request) {
      try {
        return await theme.renderSection(id, request);
      } catch (error) {
        if (!(error instanceof Problem)) onError(error);
        throw error;
      }
    },
    async renderPage(request) {
      const revision = theme.revision();
      try {
        const page = await theme.renderPage(request);
        return { ...page, html: addScript(page.html, () => createScriptTag(pages.add(page), revision)) };
      } catch (error) {
        if (error instanceof Problem) throw error;
        throw new PageError(
          renderDiagnosticPage(onError(error), createScriptTag(pages.add(), revision, " data-failed")),
          error,
        );
      }
    },
  };
}

function createScriptTag(page: string, revision: number, attributes = ""): string {
  return `<script type="module" src="${clientPath}" data-vitrine-page="${page}" data-revision="${revision}"${attributes}></script>\n`;
}

/** Adds the live reload script to a page. HTML fragments, which scripts request, are returned unchanged. */
function addScript(html: string, tag: () => string): string {
  const insertionPosition = /<\/head\s*>/i.exec(html)?.index ?? /<body[\s>]/i.exec(html)?.index;
  return insertionPosition === undefined
    ? html
    : html.slice(0, insertionPosition) + tag() + html.slice(insertionPosition);
}
