import { escapeHtml } from "../runtime/escape-html.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { formatDiagnostic } from "./diagnostic.ts";

/** Returns the HTML that replaces a failed section or template. */
export function renderInlineDiagnostic(diagnostic: Diagnostic): string {
  return `<vitrine-error>${renderDiagnostic(diagnostic)}</vitrine-error>`;
}

/**
 * Returns the page that replaces a page that cannot be rendered.
 * @param script script element of the live reload script
 */
export function renderDiagnosticPage(diagnostic: Diagnostic, script: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>This page cannot be shown</title>
${script}</head>
<body><main><h1>This page cannot be shown</h1>${renderDiagnostic(diagnostic)}<p>It reloads once the file is fixed.</p></main></body>
</html>
`;
}

function renderDiagnostic(diagnostic: Diagnostic): string {
  const [firstLine = "", ...lines] = formatDiagnostic(diagnostic);
  return `<p><strong>${escapeHtml(firstLine)}</strong></p>${lines.length === 0 ? "" : `<pre>${escapeHtml(lines.join("\n"))}</pre>`}`;
}
