import { type CompiledTheme, findTemplateError, homeTemplate, listSectionFiles } from "../files/compiled-theme.ts";
import type { JsonTemplate } from "../files/json-template.ts";
import { maxPageLength } from "../liquid/limits.ts";
import { renderAttribute } from "../liquid/safe-html.ts";
import { captureError, findLimitError } from "../liquid/with-location.ts";
import { TemplateName } from "../objects/shop/template-name.ts";
import { assignGlobalKey, type RenderState, renderError } from "../render-state.ts";
import type { PageContext } from "./page-context.ts";
import { isTextFile } from "./page-types.ts";
import { createPageWorkMeter, renderFile } from "./render-file.ts";
import { renderPlacements } from "./sections.ts";

/** One render of a page with one theme. */
export interface RenderPass {
  readonly state: RenderState;
  readonly page: PageContext;
}

/** Returns the template and layout files of a page. */
export function listPageFiles(theme: CompiledTheme, page: PageContext): readonly string[] {
  const file = `templates/${page.template}.json`;
  const layouts = [...theme.folder.texts.keys()].filter((name) => name.startsWith("layout/"));
  return [...listSectionFiles(theme, file), `templates/${page.template}.liquid`, ...layouts];
}

/** Returns whether a theme has a template and a layout for a page. The files may be invalid. */
export function hasPageFiles(theme: CompiledTheme, { template }: PageContext): boolean {
  const hasTemplate = theme.has(`templates/${template}.json`) || theme.has(`templates/${template}.liquid`);
  return hasTemplate && theme.has("layout/theme.liquid");
}

/** Returns whether a theme has no template for a page, not even a rejected one. `vitrine check` lists such pages. */
export function lacksTemplate(theme: CompiledTheme, { template }: PageContext): boolean {
  const files = [`templates/${template}.json`, `templates/${template}.liquid`];
  return !files.some((file) => theme.has(file) || theme.folder.rejectedFiles.has(file));
}

/**
 * Returns why a theme cannot render a page: the template or the default layout is missing or invalid. Returns undefined
 * if it can.
 */
export function findPageError(theme: CompiledTheme, page: PageContext): Error | undefined {
  return findTemplateError(theme, page.template) ?? captureError(() => theme.template("layout/theme.liquid"));
}

/**
 * Renders the page's template inside its layout. A template that exceeds a limit is reported and omitted.
 * @param fallback the same page in the default theme, used if this theme has no valid template or layout
 * @throws Error if neither theme has the template or a layout, or the layout exceeds a limit
 */
export function renderPage({ state, page }: RenderPass, fallback?: RenderPass): string {
  const isFallback = fallback !== undefined && findTemplateError(state.theme, page.template) !== undefined;
  const content = renderWithinLimits(state, () =>
    isFallback ? renderDefaultContent(fallback) : renderTemplate(state, page),
  );
  if (state.layout === false || isTextFile(page.type)) return content;
  const layout = findUsableLayout(state);
  // Layouts print the template's name as a body class. The prefix avoids conflicts with classes of the theme, such as
  // `.checkout` for a button.
  if (isFallback) state.globals[assignGlobalKey]("template", new TemplateName(`vitrine-${page.template}`));
  if (layout !== undefined || fallback === undefined)
    return renderLayout(state, layout ?? "layout/theme.liquid", content);
  return renderLayout(fallback.state, "layout/theme.liquid", content);
}

function renderWithinLimits(state: RenderState, render: () => string): string {
  try {
    return render();
  } catch (error) {
    if (findLimitError(error) === undefined) throw error;
    state.report(error);
    return renderError(state, error);
  }
}

function renderTemplate(state: RenderState, page: PageContext): string {
  const file = `templates/${page.template}.json`;
  const json = state.theme.json(file);
  if (json === undefined) {
    const liquid = `templates/${page.template}.liquid`;
    if (page.type === "404" && !state.theme.has(liquid)) return "";
    if (page.template === "index")
      state.globals[assignGlobalKey](
        "content_for_index",
        renderPlacements(state, state.theme.homeSections, homeTemplate),
      );
    return renderFile(state, liquid, createPageWorkMeter(state.view), maxPageLength);
  }
  state.layout = json.layout;
  return wrapSections(json, renderPlacements(state, json.sections, file));
}

/**
 * Renders a template of the default theme with its styles, for the layout of another theme. The scripts of the default
 * theme do not run there, so the content of `noscript` elements is always shown.
 */
function renderDefaultContent({ state, page }: RenderPass): string {
  const content = renderTemplate(state, page).replace(/<\/?noscript>/g, "");
  return renderLayout(state, "layout/foreign.liquid", addClassPrefix(content, state.view.config.compat.sectionClass));
}

/**
 * Adds the prefix `vitrine-` to the classes of the default theme, so that the styles of the other theme do not apply.
 * @param sectionClass class of section wrappers, which stays unchanged
 */
function addClassPrefix(html: string, sectionClass: string | undefined): string {
  return html.replace(
    /(<[a-z][^<>]*?\sclass=")([^"]*)/g,
    (_, openingText: string, names: string) =>
      openingText + names.replace(/\S+/g, (name) => (name === sectionClass ? name : `vitrine-${name}`)),
  );
}

function renderLayout(state: RenderState, file: string, content: string): string {
  state.globals[assignGlobalKey]("content_for_layout", content);
  state.globals[assignGlobalKey]("content_for_index", content);
  return renderFile(state, file, createPageWorkMeter(state.view), maxPageLength);
}

/** Returns the layout that the template selects, or else the default layout. Returns undefined if neither is valid. */
function findUsableLayout({ theme, layout = "theme", report }: RenderState): string | undefined {
  const files = new Set([layout, "theme"].map((name) => `layout/${name}.liquid`));
  for (const file of files) {
    const error = captureError(() => theme.template(file));
    if (error === undefined) return file;
    report(error);
  }
  return undefined;
}

/** Wraps the sections in the element that a JSON template defines. */
function wrapSections({ wrapper }: JsonTemplate, html: string): string {
  if (wrapper === undefined) return html;
  const attributes = wrapper.attributes.map(([name, value]) => renderAttribute(name, value)).join("");
  return `<${wrapper.name}${attributes}>${html}</${wrapper.name}>`;
}
