import { type CompiledTheme, faultOf, indexFile, sectionFiles, templateFault } from "../files/compiled-theme.ts";
import type { JsonTemplate } from "../files/json-template.ts";
import { maxPage } from "../liquid/limits.ts";
import { limitIn } from "../liquid/placed.ts";
import { attribute } from "../liquid/safe-html.ts";
import { TemplateName } from "../objects/shop/template-name.ts";
import { assign, type RenderState, shownFault } from "../render-state.ts";
import type { PageContext } from "./page-context.ts";
import { pageMeter, renderFile } from "./render-file.ts";
import { renderPlacements } from "./sections.ts";

/** The render of a page by one theme. */
export interface PageRender {
  readonly state: RenderState;
  readonly page: PageContext;
}

/** The files of a page and its layouts, to be asked what they name. */
export function pageFiles(theme: CompiledTheme, page: PageContext): readonly string[] {
  const file = `templates/${page.template}.json`;
  const layouts = [...theme.folder.texts.keys()].filter((name) => name.startsWith("layout/"));
  return [...sectionFiles(theme, file), `templates/${page.template}.liquid`, ...layouts];
}

/** Whether a theme has a template of its own for a page, and a layout, be they right or not. */
export function hasPageFiles(theme: CompiledTheme, { template }: PageContext): boolean {
  const hasTemplate = theme.has(`templates/${template}.json`) || theme.has(`templates/${template}.liquid`);
  return hasTemplate && theme.has("layout/theme.liquid");
}

/** Why a theme cannot show a page by files of its own alone: its template or the usual layout is missing or cannot be read. */
export function pageFault(theme: CompiledTheme, page: PageContext): Error | undefined {
  return templateFault(theme, page.template) ?? faultOf(() => theme.template("layout/theme.liquid"));
}

/** The page's template inside its layout; a template that passes a limit is reported and left out.
 *  @param ours the same page by the theme that comes with the server, for what this one has no file of: its template stands in this one's layout
 *  @throws Error where neither has the template or a layout, or the layout passes a limit */
export function renderPage({ state, page }: PageRender, ours?: PageRender): string {
  const isOurs = ours !== undefined && templateFault(state.theme, page.template) !== undefined;
  const content = withinLimits(state, () => (isOurs ? foreignContent(ours) : renderTemplate(state, page)));
  if (state.layout === false) return content;
  const layout = usableLayout(state);
  // A layout writes the name among the body's classes, and a theme may style `.checkout` for a button.
  if (isOurs) state.globals[assign]("template", new TemplateName(`vitrine-${page.template}`));
  if (layout !== undefined || ours === undefined) return inLayout(state, layout ?? "layout/theme.liquid", content);
  return inLayout(ours.state, "layout/theme.liquid", content);
}

function withinLimits(state: RenderState, render: () => string): string {
  try {
    return render();
  } catch (error) {
    if (limitIn(error) === undefined) throw error;
    state.report(error);
    return shownFault(state, error);
  }
}

function renderTemplate(state: RenderState, page: PageContext): string {
  const file = `templates/${page.template}.json`;
  const json = state.theme.json(file);
  if (json === undefined) {
    const liquid = `templates/${page.template}.liquid`;
    if (page.type === "404" && !state.theme.has(liquid)) return "";
    if (page.template === "index")
      state.globals[assign]("content_for_index", renderPlacements(state, state.theme.index, indexFile));
    return renderFile(state, liquid, pageMeter(state.view), maxPage);
  }
  state.layout = json.layout;
  return wrapped(json, renderPlacements(state, json.sections, file));
}

/** Our template with the styles that it needs in a layout of others. Our scripts do not run there: what the template has for browsers without
 *  scripts is shown to all. */
function foreignContent({ state, page }: PageRender): string {
  const content = renderTemplate(state, page).replace(/<\/?noscript>/g, "");
  return inLayout(state, "layout/foreign.liquid", prefixClasses(content, state.view.config.compat.sectionClass));
}

/** Prefixes the classes of our markup with `vitrine-`, so that no rule of the layout's own styles applies to them by its name.
 *  @param sectionClass class of sections' wrappers, which stays */
function prefixClasses(html: string, sectionClass: string | undefined): string {
  return html.replace(
    /(<[a-z][^<>]*?\sclass=")([^"]*)/g,
    (_, begin: string, names: string) =>
      begin + names.replace(/\S+/g, (name) => (name === sectionClass ? name : `vitrine-${name}`)),
  );
}

function inLayout(state: RenderState, file: string, content: string): string {
  state.globals[assign]("content_for_layout", content);
  state.globals[assign]("content_for_index", content);
  return renderFile(state, file, pageMeter(state.view), maxPage);
}

/** The layout that the template asks for, or else the theme's usual one; undefined where neither can be read. */
function usableLayout({ theme, layout = "theme", report }: RenderState): string | undefined {
  const files = new Set([layout, "theme"].map((name) => `layout/${name}.liquid`));
  for (const file of files) {
    const fault = faultOf(() => theme.template(file));
    if (fault === undefined) return file;
    report(fault);
  }
  return undefined;
}

/** The element that a JSON template has around its sections. */
function wrapped({ wrapper }: JsonTemplate, html: string): string {
  if (wrapper === undefined) return html;
  const attributes = wrapper.attributes.map(([name, value]) => attribute(name, value)).join("");
  return `<${wrapper.name}${attributes}>${html}</${wrapper.name}>`;
}
