import { getMessages } from "../messages/messages.ts";
import { escapeHtml } from "../runtime/escape-html.ts";
import type { Theme } from "./theme.ts";

/**
 * Returns a theme whose pages show a bar with the name of the theme, and a link that ends the preview.
 * @param name name of the theme
 */
export function createPreviewTheme(theme: Theme, name: string): Theme {
  return {
    ...theme,
    async renderPage(request) {
      const page = await theme.renderPage(request);
      return { ...page, html: insertPreviewBar(page.html, createPreviewBanner(name, request.locale)) };
    },
  };
}

function createPreviewBanner(name: string, locale: string): string {
  const messages = getMessages(locale);
  // The style sheet is a file, because the content security policy of a page may forbid inline styles.
  return (
    '<link rel="stylesheet" href="/vitrine/preview.css">' +
    `<div class="vitrine-preview" role="status">${escapeHtml(messages("preview.bar", { theme: name }))} ` +
    `<a href="?preview_theme=">${escapeHtml(messages("preview.leave"))}</a></div>`
  );
}

/** Inserts HTML at the end of a page. Fragments, which scripts request, are returned unchanged. */
function insertPreviewBar(html: string, previewBarHtml: string): string {
  const position = html.toLowerCase().lastIndexOf("</body>");
  return position === -1 ? html : html.slice(0, position) + previewBarHtml + html.slice(position);
}
