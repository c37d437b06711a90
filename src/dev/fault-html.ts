import { escapeHtml } from "../theme/liquid/safe-html.ts";
import type { Fault } from "./fault.ts";
import { faultLines } from "./fault-text.ts";

/** HTML in place of a section or template that failed. */
export function faultInPlace(fault: Fault): string {
  return `<vitrine-fault>${faultText(fault)}</vitrine-fault>`;
}

/** Page in place of one that cannot be rendered.  @param script the tag of the live reload script */
export function faultPage(fault: Fault, script: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>This page cannot be shown</title>
${script}</head>
<body><main><h1>This page cannot be shown</h1>${faultText(fault)}<p>It comes back by itself once the file is mended.</p></main></body>
</html>
`;
}

function faultText(fault: Fault): string {
  const [head = "", ...lines] = faultLines(fault);
  return `<p><strong>${escapeHtml(head)}</strong></p>${lines.length === 0 ? "" : `<pre>${escapeHtml(lines.join("\n"))}</pre>`}`;
}
