import { posix } from "node:path";
import { escapeHtml } from "../../src/runtime/escape-html.ts";
import type { Document } from "./document.ts";
import type { NavigationGroup } from "./navigation.ts";
import { pagePath } from "./paths.ts";

/**
 * Returns the HTML of a page. All links are relative, so that the site works under any path.
 * @param source path of the document from the root of the repository
 */
export function pageHtml(source: string, document: Document, navigation: readonly NavigationGroup[]): string {
  const path = pagePath(source);
  const link = (to: string): string => escapeHtml(encodeURI(posix.relative(posix.dirname(path), to)));
  const title = path === "index.html" ? "Vitrine documentation" : `${document.title} | Vitrine documentation`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${link("assets/style.css")}">
<script src="${link("assets/color-scheme.js")}"></script>
<script type="module" src="${link("assets/page.js")}"></script>
</head>
<body>
<a class="skip" href="#site-content">Skip to content</a>
<header class="bar">
<button class="menu-button" type="button" popovertarget="site-menu" aria-label="Menu">${icon("M3 5h14M3 10h14M3 15h14")}</button>
<a class="brand" href="${link("index.html")}">Vitrine <span>docs</span></a>
<search class="search" hidden>
<input id="site-search" type="search" role="combobox" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false" aria-autocomplete="list" aria-expanded="false" aria-controls="site-results" aria-keyshortcuts="/">
<div id="site-results" class="results" role="listbox" aria-label="Search results" hidden></div>
<p id="site-status" class="status" role="status"></p>
</search>
<button id="site-scheme" class="scheme-button" type="button" aria-pressed="false" aria-label="Dark mode" title="Dark mode" hidden>${icon("M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M10 3v14M12 4v12M14 5v10M16 7v6")}</button>
</header>
<div class="columns">
<nav id="site-menu" class="menu" aria-label="Documents" popover>
${navigation.map((group) => groupHtml(group, source, link)).join("\n")}
</nav>
<main id="site-content" tabindex="-1">
${document.html}</main>
${contentsHtml(document)}</div>
</body>
</html>
`;
}

function groupHtml({ heading, entries }: NavigationGroup, source: string, link: (to: string) => string): string {
  const items = entries.map((entry) => {
    const currentAttribute = entry.source === source ? ' aria-current="page"' : "";
    return `<li><a href="${link(pagePath(entry.source))}"${currentAttribute}>${escapeHtml(entry.label)}</a></li>`;
  });
  return `<h2>${escapeHtml(heading)}</h2>\n<ul>${items.join("")}</ul>`;
}

/** Returns links to the headings of a page that has several. */
function contentsHtml({ sections }: Document): string {
  const headings = sections.filter(({ level }) => level === 2 || level === 3);
  if (headings.length < 2) return "";
  const items = headings.map(
    ({ id, heading, level }) =>
      `<li class="level-${level}"><a href="#${escapeHtml(encodeURI(id))}">${escapeHtml(heading)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join("")}</ul></nav>\n`;
}

/** Returns an icon of 20 by 20 units.  @param path outline in SVG syntax */
function icon(path: string): string {
  return `<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="${path}" fill="none" stroke="currentColor" stroke-width="1.75" /></svg>`;
}
