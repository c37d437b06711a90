import { type CompiledTheme, catchError, indexFile, sectionFiles, templateError } from "../files/compiled-theme.ts";
import type { JsonTemplate } from "../files/json-template.ts";
import { maxPageLength } from "../liquid/limits.ts";
import { attribute } from "../liquid/safe-html.ts";
import { findLimitError } from "../liquid/with-location.ts";
import { TemplateName } from "../objects/shop/template-name.ts";
import { assignGlobal, errorHtml, type RenderState } from "../render-state.ts";
import type { PageContext } from "./page-context.ts";
import { pageMeter, renderFile } from "./render-file.ts";
import { renderPlacements } from "./sections.ts";

/** Render of a page by one theme. */
export interface PageRender {
  readonly state: RenderState;
  readonly page: PageContext;
}

/** Returns the files of a page and its layouts, for checking their dependencies. */
export function pageFiles(theme: CompiledTheme, page: PageContext): readonly string[] {
  const file = `templates/${page.template}.json`;
  const layouts = [...theme.folder.texts.keys()].filter((name) => name.startsWith("layout/"));
  return [...sectionFiles(theme, file), `templates/${page.template}.liquid`, ...layouts];
}

/** Returns whether a theme has a template and a layout for a page, even if they are invalid. */
export function hasPageFiles(theme: CompiledTheme, { template }: PageContext): boolean {
  const hasTemplate = theme.has(`templates/${template}.json`) || theme.has(`templates/${template}.liquid`);
  return hasTemplate && theme.has("layout/theme.liquid");
}

/**
 * Returns the error that prevents a theme from rendering a page: the template or default layout is missing or invalid.
 */
export function pageError(theme: CompiledTheme, page: PageContext): Error | undefined {
  return templateError(theme, page.template) ?? catchError(() => theme.template("layout/theme.liquid"));
}

/**
 * Renders the page's template inside its layout. A template that exceeds a limit is reported and omitted.
 * @param fallback the same page in the default theme, for missing files; its template is placed in this theme's layout
 * @throws Error if neither theme has the template or a layout, or the layout exceeds a limit
 */
export function renderPage({ state, page }: PageRender, fallback?: PageRender): string {
  const isFallback = fallback !== undefined && templateError(state.theme, page.template) !== undefined;
  const content = withinLimits(state, () => (isFallback ? foreignContent(fallback) : renderTemplate(state, page)));
  if (state.layout === false) return content;
  const layout = usableLayout(state);
  // Layouts print the template's name as a body class, and a theme may use `.checkout` for a button.
  if (isFallback) state.globals[assignGlobal]("template", new TemplateName(`vitrine-${page.template}`));
  if (layout !== undefined || fallback === undefined)
    return renderLayout(state, layout ?? "layout/theme.liquid", content);
  return renderLayout(fallback.state, "layout/theme.liquid", content);
}

function withinLimits(state: RenderState, render: () => string): string {
  try {
    return render();
  } catch (error) {
    if (findLimitError(error) === undefined) throw error;
    state.report(error);
    return errorHtml(state, error);
  }
}

function renderTemplate(state: RenderState, page: PageContext): string {
  const file = `templates/${page.template}.json`;
  const json = state.theme.json(file);
  if (json === undefined) {
    const liquid = `templates/${page.template}.liquid`;
    if (page.type === "404" && !state.theme.has(liquid)) return "";
    if (page.template === "index")
      state.globals[assignGlobal]("content_for_index", renderPlacements(state, state.theme.indexSections, indexFile));
    return renderFile(state, liquid, pageMeter(state.view), maxPageLength);
  }
  state.layout = json.layout;
  return wrapSections(json, renderPlacements(state, json.sections, file));
}

/**
 * Renders the default theme's template with its styles, for the layout of another theme. Scripts do not run there, so
 * content for browsers without scripts is always shown.
 */
function foreignContent({ state, page }: PageRender): string {
  const content = renderTemplate(state, page).replace(/<\/?noscript>/g, "");
  return renderLayout(state, "layout/foreign.liquid", prefixClasses(content, state.view.config.compat.sectionClass));
}

/**
 * Adds the prefix `vitrine-` to classes of the default theme's markup. The prefix keeps the styles of the layout's
 * theme from applying.
 * @param sectionClass class of sections' wrappers, which stays unchanged
 */
function prefixClasses(html: string, sectionClass: string | undefined): string {
  return html.replace(
    /(<[a-z][^<>]*?\sclass=")([^"]*)/g,
    (_, begin: string, names: string) =>
      begin + names.replace(/\S+/g, (name) => (name === sectionClass ? name : `vitrine-${name}`)),
  );
}

function renderLayout(state: RenderState, file: string, content: string): string {
  state.globals[assignGlobal]("content_for_layout", content);
  state.globals[assignGlobal]("content_for_index", content);
  return renderFile(state, file, pageMeter(state.view), maxPageLength);
}

/** Returns the layout that the template selects, else the theme's default layout, or undefined if neither is valid. */
function usableLayout({ theme, layout = "theme", report }: RenderState): string | undefined {
  const files = new Set([layout, "theme"].map((name) => `layout/${name}.liquid`));
  for (const file of files) {
    const error = catchError(() => theme.template(file));
    if (error === undefined) return file;
    report(error);
  }
  return undefined;
}

/** Wraps the sections in the element of a JSON template. */
function wrapSections({ wrapper }: JsonTemplate, html: string): string {
  if (wrapper === undefined) return html;
  const attributes = wrapper.attributes.map(([name, value]) => attribute(name, value)).join("");
  return `<${wrapper.name}${attributes}>${html}</${wrapper.name}>`;
}
